'use strict';

module.exports = (what) => `[${what}]`;
