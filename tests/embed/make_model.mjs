// Small models of the BERT family with references, by an implementation that has nothing in common
// with the one under test: `node make_model.mjs DIR` writes DIR/{f32,f16,bf16}.
//
// All arithmetic here is of doubles, on the weights as they were rounded for the file. The models
// differ in the type of their numbers, and in whether vocab.txt or tokenizer.json says the words.
import { mkdirSync, writeFileSync } from 'node:fs';

const H = 40, HEADS = 5, MIDDLE = 72, LAYERS = 3, POSITIONS = 48, MAX = 32;

// --- numbers ---

let seed = 0x2545f491;
function random() {  // in [-1, 1)
  seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
  return (seed >>> 0) / 2147483648 - 1;
}

const view = new DataView(new ArrayBuffer(4));
const bitsOf = (x) => (view.setFloat32(0, x), view.getUint32(0));
const floatOf = (bits) => (view.setUint32(0, bits >>> 0), view.getFloat32(0));
function evenly(bits, drop) {  // the upper bits, rounded to the nearest, half to even
  const half = 2 ** (drop - 1), rest = bits % 2 ** drop, up = Math.floor(bits / 2 ** drop);
  return up + (rest > half || (rest === half && up % 2 === 1) ? 1 : 0);
}
const KINDS = {
  f32: { dtype: 'F32', width: 4, encode: bitsOf, decode: floatOf },
  bf16: { dtype: 'BF16', width: 2, encode: (x) => evenly(bitsOf(x), 16),
    decode: (bits) => floatOf(bits * 65536) },
  f16: { dtype: 'F16', width: 2,
    encode(x) {  // by searching: slow, and plainly right
      const sign = x < 0 ? 0x8000 : 0, size = Math.abs(x);
      let low = 0, high = 0x7bff;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (this.decode(middle) <= size) low = middle; else high = middle - 1;
      }
      const below = size - this.decode(low), above = this.decode(low + 1) - size;
      return sign + low + (above < below || (above === below && low % 2 === 1) ? 1 : 0);
    },
    decode(bits) {
      const exponent = (bits >> 10) & 31, part = bits & 1023;
      const size = exponent === 0 ? part * 2 ** -24 : (1 + part / 1024) * 2 ** (exponent - 15);
      return bits & 0x8000 ? -size : size;
    } },
};

// --- words ---

const SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const PIECES = ['lo', '##dash', 'prototype', '##type', 'proto', 'pollution', 'in', 'the', 'cve', 're',
  '##quest', 'command', 'injection', 'be', '##fore', 'naive', 'cafe', 'resume', 'test', '##ing', '日', '本',
  'ﬁ', 'ⅳ', 'ß', 'straße', '¿', '—', 'ο', '##σ', 'σ', 'и', '##и', 'é', '##é', 'É'];
const VOCAB = [...SPECIALS, ...[...'abcdefghijklmnopqrstuvwxyz0123456789'].flatMap((c) => [c, '##' + c]),
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', ...PIECES];
const IDS = new Map(VOCAB.map((token, id) => [token, id]));
// Of private use, what the tables of the tokenizers in use have: the ends of each range.
const PRIVATE = /[\ue000\uf8ff\u{f0000}\u{ffffd}\u{100000}\u{10fffd}]/u;
const CJK = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u;

function words(text, lower) {
  let out = '';
  for (const c of text) {
    if (c === '\0' || c === '\ufffd') continue;
    if ((/[\p{Cc}\p{Cf}]/u.test(c) || PRIVATE.test(c)) && !'\t\n\r'.includes(c)) continue;
    if (/[\s\p{Z}]/u.test(c)) out += ' ';
    else out += CJK.test(c) ? ` ${c} ` : c;
  }
  if (lower) {
    out = out.normalize('NFD').replace(/\p{Mn}/gu, '');
    out = [...out].map((c) => c.toLowerCase()).join('');
  }
  return out.replace(/[\p{P}$+<=>^`|~]/gu, ' $& ').split(/\s+/u).filter((word) => word !== '');
}

function pieces(word) {
  const letters = [...word], out = [];
  if (letters.length > 100) return [1];
  for (let from = 0; from < letters.length;) {
    let to = letters.length;
    const token = () => (from > 0 ? '##' : '') + letters.slice(from, to).join('');
    while (to > from && !IDS.has(token())) --to;
    if (to === from) return [1];
    out.push(IDS.get(token()));
    from = to;
  }
  return out;
}

function idsOf(text, lower, max) {
  const out = [];
  for (const part of text.split(/(\[PAD\]|\[UNK\]|\[CLS\]|\[SEP\]|\[MASK\])/)) {
    if (SPECIALS.includes(part)) out.push(IDS.get(part));
    else for (const word of words(part, lower)) out.push(...pieces(word));
  }
  return [2, ...out.slice(0, max - 2), 3];
}

// --- the model ---

function makeTensors() {
  const out = {};
  const add = (name, shape, centre, spread) => {
    const count = shape.reduce((a, b) => a * b, 1);
    out[name] = { shape, numbers: Array.from({ length: count }, () => centre + spread * random()) };
  };
  const linear = (name, rows, columns) => {
    add(name + '.weight', [rows, columns], 0, 0.3);
    add(name + '.bias', [rows], 0, 0.1);
  };
  const norm = (name) => {
    add(name + '.weight', [H], 1, 0.2);
    add(name + '.bias', [H], 0, 0.1);
  };
  add('embeddings.word_embeddings.weight', [VOCAB.length, H], 0, 1);
  add('embeddings.position_embeddings.weight', [POSITIONS, H], 0, 0.3);
  add('embeddings.token_type_embeddings.weight', [2, H], 0, 0.3);
  norm('embeddings.LayerNorm');
  for (let i = 0; i < LAYERS; ++i) {
    const of = `encoder.layer.${i}.`;
    for (const part of ['query', 'key', 'value']) linear(`${of}attention.self.${part}`, H, H);
    linear(of + 'attention.output.dense', H, H);
    norm(of + 'attention.output.LayerNorm');
    linear(of + 'intermediate.dense', MIDDLE, H);
    linear(of + 'output.dense', H, MIDDLE);
    norm(of + 'output.LayerNorm');
  }
  return out;
}

function rounded(tensors, kind) {
  return Object.fromEntries(Object.entries(tensors).map(([name, { shape, numbers }]) =>
    [name, { shape, numbers: numbers.map((x) => kind.decode(kind.encode(x))) }]));
}

function erf(x) {
  if (Math.abs(x) > 5) return Math.sign(x);
  let sum = 0, term = x;
  for (let n = 0; Math.abs(term) > 1e-18; ++n) {
    sum += term / (2 * n + 1);
    term *= -x * x / (n + 1);
  }
  return sum * 2 / Math.sqrt(Math.PI);
}

function vectorOf(ids, tensors, epsilon) {
  const t = (name) => tensors[name].numbers;
  const linear = (rows, name, size, depth) => rows.map((row) => Array.from({ length: size }, (_, c) => {
    let sum = t(name + '.bias')[c];
    for (let k = 0; k < depth; ++k) sum += row[k] * t(name + '.weight')[c * depth + k];
    return sum;
  }));
  const norm = (rows, name) => rows.map((row) => {
    const mean = row.reduce((a, b) => a + b) / H;
    const spread = Math.sqrt(row.reduce((a, b) => a + (b - mean) ** 2, 0) / H + epsilon);
    return row.map((x, k) => (x - mean) / spread * t(name + '.weight')[k] + t(name + '.bias')[k]);
  });
  const plus = (a, b) => a.map((row, i) => row.map((x, k) => x + b[i][k]));
  let state = norm(ids.map((id, i) => Array.from({ length: H }, (_, k) =>
    t('embeddings.word_embeddings.weight')[id * H + k] + t('embeddings.position_embeddings.weight')[i * H + k] +
    t('embeddings.token_type_embeddings.weight')[k])), 'embeddings.LayerNorm');
  for (let layer = 0; layer < LAYERS; ++layer) {
    const of = `encoder.layer.${layer}.`, head = H / HEADS;
    const [q, k, v] = ['query', 'key', 'value'].map((part) => linear(state, `${of}attention.self.${part}`, H, H));
    const context = state.map(() => new Array(H).fill(0));
    for (let from = 0; from < H; from += head) {
      for (let i = 0; i < ids.length; ++i) {
        const scores = ids.map((_, j) => {
          let sum = 0;
          for (let c = from; c < from + head; ++c) sum += q[i][c] * k[j][c];
          return Math.exp(sum / Math.sqrt(head));
        });
        const all = scores.reduce((a, b) => a + b);
        for (let c = from; c < from + head; ++c) {
          context[i][c] = scores.reduce((sum, share, j) => sum + share / all * v[j][c], 0);
        }
      }
    }
    state = norm(plus(linear(context, of + 'attention.output.dense', H, H), state), of + 'attention.output.LayerNorm');
    const wide = linear(state, of + 'intermediate.dense', MIDDLE, H)
      .map((row) => row.map((x) => x * 0.5 * (1 + erf(x / Math.SQRT2))));
    state = norm(plus(linear(wide, of + 'output.dense', H, MIDDLE), state), of + 'output.LayerNorm');
  }
  const mean = Array.from({ length: H }, (_, k) => state.reduce((sum, row) => sum + row[k], 0) / ids.length);
  const length = Math.sqrt(mean.reduce((a, b) => a + b * b, 0));
  return mean.map((x) => x / length);
}

// --- files ---

function safetensors(tensors, kind) {
  const header = { __metadata__: { format: 'pt' } };
  let size = 0;
  for (const [name, { shape, numbers }] of Object.entries(tensors)) {
    header[name] = { dtype: kind.dtype, shape, data_offsets: [size, size + numbers.length * kind.width] };
    size += numbers.length * kind.width;
  }
  let text = JSON.stringify(header);
  text += ' '.repeat((8 - text.length % 8) % 8);
  const out = Buffer.alloc(8 + text.length + size);
  out.writeBigUInt64LE(BigInt(text.length));
  out.write(text, 8);
  let at = 8 + text.length;
  for (const { numbers } of Object.values(tensors)) {
    for (const x of numbers) at = out.writeUIntLE(kind.encode(x), at, kind.width);
  }
  return out;
}

const added = (content, id) => ({ id, content, single_word: false, lstrip: false, rstrip: false,
  normalized: false, special: true });
const tokenizer = (lower) => ({
  version: '1.0',
  truncation: { direction: 'Right', max_length: MAX, strategy: 'LongestFirst', stride: 0 },
  padding: null,
  added_tokens: SPECIALS.map(added),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null,
    lowercase: lower },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: { type: 'TemplateProcessing',
    single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } }],
    special_tokens: Object.fromEntries(['[CLS]', '[SEP]'].map((id) =>
      [id, { id, ids: [IDS.get(id)], tokens: [id] }])) },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##',
    max_input_chars_per_word: 100, vocab: Object.fromEntries(IDS) },
});

const TEXTS = ['', ' ', 'lodash', 'Prototype Pollution in lodash', 'CVE-2021-23337: command injection before 4.17.21',
  'naïve café résumé', 'É é', '日本語 and text', '🚀🔥', 'null\0byte \ufffd', 'a\u200bb\u00a0c\u3000d', 'x'.repeat(101),
  'the '.repeat(60), '[CLS] in [MASK][SEP]', 'Straße STRASSE ΣΟΣ И\u0306 й', 'ﬁ Ⅳ —¿', '\u0301a\u0323\u0307', 'İ',
  'lo\ue000dash', 'lo\ue001dash'];

const tensors = makeTensors();
for (const [name, kind] of Object.entries(KINDS)) {
  const folder = `${process.argv[2]}/${name}`;
  const lower = name !== 'bf16';
  const max = name === 'f16' ? MAX : POSITIONS;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/config.json`, JSON.stringify({ model_type: 'bert', hidden_size: H,
    num_hidden_layers: LAYERS, num_attention_heads: HEADS, intermediate_size: MIDDLE, hidden_act: 'gelu',
    max_position_embeddings: POSITIONS, type_vocab_size: 2, vocab_size: VOCAB.length, layer_norm_eps: 1e-5 }));
  if (name === 'f16') {
    writeFileSync(`${folder}/tokenizer.json`, JSON.stringify(tokenizer(lower)));
  } else {
    writeFileSync(`${folder}/vocab.txt`, VOCAB.join('\n') + '\n');
    writeFileSync(`${folder}/tokenizer_config.json`, JSON.stringify({ do_lower_case: lower }));
  }
  writeFileSync(`${folder}/model.safetensors`, safetensors(tensors, kind));
  const exact = rounded(tensors, kind);
  writeFileSync(`${folder}/reference.jsonl`, TEXTS.map((text) => {
    const ids = idsOf(text, lower, max);
    return JSON.stringify({ text, input_ids: ids, embedding: vectorOf(ids, exact, 1e-5) }) + '\n';
  }).join(''));
}
