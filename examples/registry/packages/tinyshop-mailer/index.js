'use strict';
const { escape } = require('tinyshop-text');
exports.confirmation = (name, order) => `<p title="${escape(name)}">Order ${escape(order)} is on its way</p>`;
