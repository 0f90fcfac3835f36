'use strict';
const { randomUUID } = require('node:crypto');
exports.openSession = () => ({ id: randomUUID() });
