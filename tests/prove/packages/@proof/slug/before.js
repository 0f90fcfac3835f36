'use strict';

// The two patterns meet on the same characters, so many dashes take time out of proportion.
module.exports = function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^(-+)+|(-+)+$/g, '');
};
