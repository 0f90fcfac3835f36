'use strict';

module.exports = function slug(text) {
  return text.toLowerCase().split(/[^a-z0-9]/).filter(Boolean).join('-');
};
