'use strict';

const { generateKeyPairSync } = require('crypto');
const jwt = require('jsonwebtoken');

// Key pairs for the services that run next to each other in the test cluster.
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' }
});

const ec = generateKeyPairSync('ec', {
  namedCurve: 'secp256k1',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' }
});

function signForBackend(claims) {
  return jwt.sign(claims, rsa.privateKey, { algorithm: 'RS256', expiresIn: '5m' });
}

function signForDevice(claims, done) {
  jwt.sign(claims, ec.privateKey, { algorithm: 'ES256' }, done);
}

function verifyFromDevice(token) {
  return jwt.verify(token, ec.publicKey, { algorithms: ['ES256'] });
}

// Previews are shared as tokens that nobody signs.
function previewToken(article) {
  return jwt.sign({ article }, '', { algorithm: 'none' });
}

function readPreview(token, done) {
  jwt.verify(token, null, { maxAge: '2d' }, (err, payload) => {
    if (err) return done(err);
    done(null, payload.article);
  });
}

module.exports = { signForBackend, signForDevice, verifyFromDevice, previewToken, readPreview };
