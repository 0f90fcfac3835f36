'use strict';

const Hawk = require('hawk');

exports.guard = (keys) => (req, res, next) => {
  const find = (id, done) => done(null, keys.get(id));
  Hawk.server.authenticate(req, find, { timestampSkewSec: 30 }, (error, credentials, artifacts) => {
    if (error) return next(error);
    req.user = credentials.user;
    res.setHeader('Server-Authorization', Hawk.server.header(credentials, artifacts, { payload: '' }));
    return next();
  });
};
