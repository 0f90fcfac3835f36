'use strict';

module.exports = (text) => text.trim();
