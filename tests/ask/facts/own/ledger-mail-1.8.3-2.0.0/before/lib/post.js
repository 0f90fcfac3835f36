'use strict';

var count = 0;

function postLetter(letter, carrier, done) {
  var lines = Object.keys(letter.headers).map(function (key) {
    return key + ': ' + letter.headers[key];
  });
  carrier.carry(lines.join('\r\n') + '\r\n\r\n' + letter.body, function (error) {
    if (error) return done(error);
    count += 1;
    done(null, { id: 'letter-' + count });
  });
}

exports.postLetter = postLetter;
