'use strict';
exports.parse = (text) => (/^\d+([.]\d\d)?$/.test(text) ? Math.round(Number(text) * 100) : NaN);
exports.format = (cents) => (cents / 100).toFixed(2);
