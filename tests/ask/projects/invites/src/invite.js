import generate from 'nanoid/generate.js';

// Without what looks alike on paper.
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const PIN_DIGITS = '0123456789';

/// A code that can be read out on the phone.
export function code() {
  const letters = generate(LETTERS, 8);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

export function pin(length) {
  return generate(PIN_DIGITS, length);
}

export const invite = (guest) => ({ guest, code: code(), pin: pin(6) });
