const express = require('express');
const passport = require('passport');
const cookieSession = require('cookie-session');
const LocalStrategy = require('passport-local').Strategy;
const users = require('./users');

passport.use(new LocalStrategy((name, password, done) => users.check(name, password, done)));
passport.serializeUser((user, done) => done(null, user.id));
passport.deserializeUser((id, done) => users.byId(id, done));

const app = express();
app.use(cookieSession({ name: 'shop', keys: [process.env.COOKIE_KEY] }));
app.use(passport.initialize());
app.use(passport.session());

app.post('/login', passport.authenticate('local', { failureRedirect: '/login' }), (req, res) => {
  // the guest put things into the basket and was sent here from the checkout
  const next = req.session.returnTo || '/';
  delete req.session.returnTo;
  users.adoptBasket(req.user, req.session.basket, () => res.redirect(next));
});

app.post('/become/:id', (req, res, next) => {
  users.byId(req.params.id, (err, user) => {
    if (err) return next(err);
    req.session.realUser = req.user.id;
    req.logIn(user, (failed) => (failed ? next(failed) : res.redirect('/')));
  });
});

app.get('/logout', (req, res) => {
  req.logout();
  res.redirect('/');
});

module.exports = app;
