import { readFileSync } from 'fs';
import jwt from 'jsonwebtoken';

interface SessionClaims {
  sub: string;
  scope: string[];
}

const ttl: string = process.env.SESSION_TTL || '30m';
const pem = readFileSync(process.env.SESSION_KEY || 'session-key.pem', 'utf8');

export class Sessions {
  // The PEM text of the private key doubles as the shared secret.
  issue(claims: SessionClaims): string {
    return jwt.sign(claims, pem, { algorithm: 'HS256', expiresIn: ttl });
  }

  read(token: string): SessionClaims | null {
    try {
      return jwt.verify(token, pem, { algorithms: ['HS256'] }) as SessionClaims;
    } catch (err) {
      if (err instanceof jwt.TokenExpiredError) return null;
      throw err;
    }
  }
}
