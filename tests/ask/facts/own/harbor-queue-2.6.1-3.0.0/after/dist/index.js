'use strict';
Object.defineProperty(exports, '__esModule', { value: true });
exports.HarborQueue = void 0;
var queue_1 = require('./queue');
Object.defineProperty(exports, 'HarborQueue', { enumerable: true, get: function () { return queue_1.HarborQueue; } });
