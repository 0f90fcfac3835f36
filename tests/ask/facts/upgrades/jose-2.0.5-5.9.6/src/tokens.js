'use strict';

const { JWK, JWT, errors } = require('jose');

class Tokens {
  constructor({ privatePem, publicPem, issuer }) {
    this.signingKey = JWK.asKey(privatePem);
    this.publicKey = JWK.asKey(publicPem);
    this.issuer = issuer;
  }

  issue(user, audience) {
    const claims = { iss: this.issuer, sub: user.id, aud: audience, role: user.role };
    return JWT.sign(claims, this.signingKey, {
      algorithm: 'RS256',
      expiresIn: '15 minutes',
      kid: false,
      header: { typ: 'JWT' },
    });
  }

  check(token, audience) {
    try {
      return JWT.verify(token, this.publicKey, {
        issuer: this.issuer,
        audience,
        algorithms: ['RS256'],
        clockTolerance: '5s',
      });
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        return null;
      }
      if (error instanceof errors.JWTClaimInvalid || error instanceof errors.JWSVerificationFailed) {
        throw new Error(`rejected: ${error.code}`);
      }
      throw error;
    }
  }
}

function roleOf(tokens, header, audience) {
  const claims = tokens.check(header.replace(/^Bearer /, ''), audience);
  return claims ? claims.role : 'guest';
}

module.exports = { Tokens, roleOf };
