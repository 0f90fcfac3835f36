'use strict';

exports.tag = function tag({ name, value }) {
  if (typeof name !== 'string') throw new TypeError('no name');
  return `${name}=${value}`;
};
