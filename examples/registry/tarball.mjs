// Package tarballs with the same bytes on every machine: ustar with fixed owner, mode and
// time, and gzip with stored blocks, because compressed bytes differ between zlibs.
import { createHash } from 'node:crypto';

const MTIME = 499162500; // 1985-10-26T08:15:00Z, the time npm itself writes

function octal(value, width) {
  return value.toString(8).padStart(width - 1, '0') + '\0';
}

function header(path, size) {
  if (Buffer.byteLength(path) > 100) throw new Error(`path too long for ustar: ${path}`);
  const block = Buffer.alloc(512);
  block.write(path, 0);
  block.write(octal(0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(MTIME, 12), 136);
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\0' + '00', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(sum.toString(8).padStart(6, '0') + '\0 ', 148);
  return block;
}

function tar(files) {
  const parts = [];
  for (const path of Object.keys(files).sort()) {
    const body = Buffer.from(files[path]);
    parts.push(header(path, body.length), body, Buffer.alloc((512 - (body.length % 512)) % 512));
  }
  parts.push(Buffer.alloc(1024));
  return Buffer.concat(parts);
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function gzip(bytes) {
  const parts = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])];
  for (let at = 0; at < bytes.length; at += 65535) {
    const chunk = bytes.subarray(at, at + 65535);
    const head = Buffer.alloc(5);
    head[0] = at + chunk.length === bytes.length ? 1 : 0;
    head.writeUInt16LE(chunk.length, 1);
    head.writeUInt16LE(chunk.length ^ 0xffff, 3);
    parts.push(head, chunk);
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([...parts, tail]);
}

/// `files` maps paths inside the package to their text.
export function pack(files) {
  const inside = {};
  let unpackedSize = 0;
  for (const [path, text] of Object.entries(files)) {
    inside[`package/${path}`] = text;
    unpackedSize += Buffer.byteLength(text);
  }
  const bytes = gzip(tar(inside));
  return {
    bytes,
    integrity: 'sha512-' + createHash('sha512').update(bytes).digest('base64'),
    shasum: createHash('sha1').update(bytes).digest('hex'),
    fileCount: Object.keys(files).length,
    unpackedSize,
  };
}
