'use strict';

const passport = require('passport');

/// Shows somebody out, and then says where to go.
function leave(req, res) {
  passport.initialize()(req, res, () => {
    req.logout();
    res.redirect('/bye');
  });
}

module.exports = { leave };
