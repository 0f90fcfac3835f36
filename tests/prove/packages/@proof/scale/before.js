'use strict';

module.exports = (value, low, high) => Math.min(Math.max(value, low), high);
