'use strict';

exports.tag = function tag(name, value) {
  return `${name}=${value}`;
};
