'use strict';

module.exports = async (name) => `hello ${name}`;
