'use strict';

module.exports = function price(cents) {
  if (!Number.isFinite(cents)) throw new TypeError('no price');
  return String(Math.floor(cents) / 100);
};
