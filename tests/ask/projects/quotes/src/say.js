'use strict';

const { quote, star } = require('@proof/shell');

function say(name, words) {
  return star(name) + ': ' + quote(words);
}

module.exports = { say };
