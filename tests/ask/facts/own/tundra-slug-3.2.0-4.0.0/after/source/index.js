import { foldAccents } from './fold-accents.js';

const kWord = /[a-z0-9]+/g;

export default function slug(text, { separator = '-', maxLength = Infinity } = {}) {
  const words = foldAccents(String(text)).toLowerCase().match(kWord) ?? [];
  let out = '';
  for (const word of words) {
    const longer = out === '' ? word : out + separator + word;
    if (longer.length > maxLength) break;
    out = longer;
  }
  return out;
}

export class UniqueSlugs {
  #seen = new Set();
  #options;

  constructor(options) {
    this.#options = options;
  }

  take(text) {
    const base = slug(text, this.#options);
    let out = base;
    for (let n = 2; this.#seen.has(out); ++n) out = `${base}-${n}`;
    this.#seen.add(out);
    return out;
  }
}

export { foldAccents };
