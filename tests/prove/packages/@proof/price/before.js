'use strict';

module.exports = function price(cents) {
  return (Math.round(cents) / 100).toFixed(2);
};
