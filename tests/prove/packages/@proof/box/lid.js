'use strict';

module.exports = (box) => box + '^';
