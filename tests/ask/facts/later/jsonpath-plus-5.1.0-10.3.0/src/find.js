'use strict';

const { JSONPath } = require('jsonpath-plus/dist/index-node-cjs.js');

exports.find = (path, json) => JSONPath({ path, json, preventEval: true, wrap: false });
exports.pointers = (path, json) => JSONPath({ path, json, resultType: 'pointer', flatten: true });
