'use strict';

const { wrap } = require('@proof/core');

exports.quote = (text) => wrap(text, "'");
exports.star = (text) => wrap(text, '*');
