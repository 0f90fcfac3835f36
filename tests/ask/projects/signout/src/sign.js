'use strict';

const passport = require('passport');

passport.serializeUser((user, done) => done(null, user.id));
passport.deserializeUser((id, done) => done(null, { id }));

/// Lets somebody in.
function enter(req, user) {
  return new Promise((resolve, reject) => {
    passport.initialize()(req, {}, () => {
      req.login(user, (error) => (error ? reject(error) : resolve(req.session)));
    });
  });
}

module.exports = { enter };
