'use strict';

var letter = require('./lib/letter');
var post = require('./lib/post');

exports.makeLetter = letter.makeLetter;
exports.readAddress = letter.readAddress;
exports.postLetter = post.postLetter;
