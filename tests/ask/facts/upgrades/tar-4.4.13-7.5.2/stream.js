'use strict';

const Pack = require('tar/lib/pack.js');
const Unpack = require('tar/lib/unpack.js');
const tar = require('tar');

function download(res, cwd, files) {
  const pack = new Pack({ cwd, gzip: { level: 9 } });
  pack.on('warn', (message, data) => console.warn('archive:', message, data));
  pack.pipe(res);
  files.forEach((file) => pack.write(file));
  pack.end();
}

function upload(req, cwd, done) {
  req
    .pipe(new Unpack({ cwd, strict: true }))
    .on('error', done)
    .on('close', () => done(null));
}

function inspect(req, done) {
  const sizes = {};
  req
    .pipe(new tar.Parse({ onentry: (entry) => { sizes[entry.path] = entry.size; entry.resume(); } }))
    .on('end', () => done(null, sizes));
}

module.exports = { download, upload, inspect };
