'use strict';
const NAMES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
exports.escape = (text) => String(text).replace(/[&<>"']/g, (c) => NAMES[c]);
