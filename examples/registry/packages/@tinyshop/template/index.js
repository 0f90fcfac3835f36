'use strict';
const { escape } = require('tinyshop-text');
exports.fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => escape(values[name] ?? ''));
