const kEntities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

export class MissingKeyError extends Error {
  constructor(key) {
    super(`no value for ${key}`);
    this.name = 'MissingKeyError';
    this.key = key;
  }
}

export function escapeHtml(value) {
  return String(value).replace(/[&<>"']/g, (letter) => kEntities.get(letter));
}

export function prepare(text, { fences = ['{{', '}}'], lenient = false } = {}) {
  const [open, close] = fences;
  const [first, ...others] = text.split(open);
  const pieces = others.map((piece) => {
    const end = piece.indexOf(close);
    if (end < 0) throw new SyntaxError(`${open} without ${close}`);
    return { key: piece.slice(0, end).trim(), literal: piece.slice(end + close.length) };
  });
  return (data) => {
    let out = first;
    for (const { key, literal } of pieces) {
      if (!Object.hasOwn(data, key) && !lenient) throw new MissingKeyError(key);
      out += (Object.hasOwn(data, key) ? escapeHtml(data[key]) : '') + literal;
    }
    return out;
  };
}

export function render(text, data, options) {
  return prepare(text, options)(data);
}
