'use strict';

const { tag } = require('@proof/tag');

/// What stands on a box.
function label(box) {
  return tag('size', box.size).toUpperCase();
}

module.exports = { label };
