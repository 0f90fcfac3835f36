'use strict';

const jwt = require('express-jwt');
const { SECRET } = require('./door.js');

/// Who has no badge may come as a guest.
exports.desk = jwt({ secret: SECRET, requestProperty: 'guest', credentialsRequired: false });
