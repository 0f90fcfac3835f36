'use strict';
const { escape } = require('tinyshop-text');
exports.badge = (label) => `<b class="badge">${escape(label)}</b>`;
