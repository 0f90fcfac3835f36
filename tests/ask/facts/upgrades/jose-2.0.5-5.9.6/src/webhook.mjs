import { JWK, JWT } from 'jose';

const secret = JWK.asKey(Buffer.from(process.env.WEBHOOK_SECRET || 'only for development, 32 bytes..'));

export function sign(event) {
  return JWT.sign({ jti: event.id, event: event.name, data: event.data }, secret, {
    algorithm: 'HS256',
    expiresIn: '2m',
  });
}

export function receive(token, now = new Date()) {
  const { payload, header } = JWT.verify(token, secret, { algorithms: ['HS256'], complete: true, now });
  return { name: payload.event, data: payload.data, algorithm: header.alg };
}
