'use strict';

module.exports = (value, low, high) => {
  if (typeof value !== 'number') throw new TypeError('no number');
  return Math.min(Math.max(value, low), high);
};
