'use strict';
// Takes time out of proportion for a long row of digits with a letter after it.
exports.parse = (text) => (/^(\d+)*([.]\d\d)?$/.test(text) ? Math.round(Number(text) * 100) : NaN);
exports.format = (cents) => (cents / 100).toFixed(2);
