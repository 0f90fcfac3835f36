'use strict';

const { around } = require('@proof/core');

exports.marks = { quote: around("'"), star: around('*') };
