'use strict';
exports.expand = (text) => text.split(',');
