const express = require('express');
const jwt = require('express-jwt');
const tenants = require('./tenants');
const revocations = require('./revocations');

function secretForTenant(req, header, payload, done) {
  tenants.findByIssuer(payload.iss, (err, tenant) => {
    if (err) return done(err);
    if (!tenant) return done(new Error('unknown issuer'));
    done(null, tenant.keys[header.kid]);
  });
}

function isRevoked(req, payload, done) {
  revocations.lookup(payload.jti, (err, entry) => done(err, Boolean(entry)));
}

const app = express();

app.use(
  jwt({ secret: secretForTenant, isRevoked, algorithms: ['RS256'] }).unless({ path: ['/login', '/health'] })
);

app.get('/me', (req, res) => {
  res.json({ id: req.user.sub, admin: req.user.role === 'admin' });
});

app.get(
  '/preview',
  jwt({ secret: 'preview', algorithms: ['HS256'], userProperty: 'preview', credentialsRequired: false }),
  (req, res) => res.json({ article: req.preview ? req.preview.article : null })
);

app.use((err, req, res, next) => {
  if (err instanceof jwt.UnauthorizedError) return res.status(401).json({ error: err.code });
  next(err);
});

module.exports = app;
