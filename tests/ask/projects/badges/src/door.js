'use strict';

const jwt = require('express-jwt');

const SECRET = process.env.BADGE_SECRET ?? 'for tests alone';

/// Lets a request through that has a badge.
exports.door = jwt({ secret: SECRET, audience: 'door' });
exports.SECRET = SECRET;
