import nanoid from 'nanoid';

/// Somebody who has come in.
export function open(name, now) {
  return { id: nanoid(), name, since: now };
}

/// The same person with another id, so that the old one is of no use.
export function renew(session) {
  const id = nanoid(32);
  return { ...session, id };
}
