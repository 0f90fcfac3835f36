import nanoid from 'nanoid';
import { shown } from './note.js';

/// A ticket that nobody has taken yet.
export function ticket(note) {
  return { id: nanoid(12), note: shown(note), taken: false };
}
