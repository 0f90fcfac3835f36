'use strict';
const { randomUUID } = require('node:crypto');
exports.openSession = async () => ({ id: randomUUID() });
