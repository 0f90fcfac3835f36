'use strict';

const fs = require('fs');
const stripAnsi = require('strip-ansi');

class LogFile {
  constructor(file) {
    this.stream = fs.createWriteStream(file, { flags: 'a' });
  }

  // Parts are what console.log takes: strings, numbers, errors, nothing at all.
  write(...parts) {
    const plain = parts.map(stripAnsi).map((part) => (part instanceof Error ? part.stack : part));
    this.stream.write(plain.join(' ') + '\n');
  }

  close() {
    return new Promise((resolve) => this.stream.end(resolve));
  }
}

function width(text) {
  return stripAnsi(text).length;
}

module.exports = { LogFile, width };
