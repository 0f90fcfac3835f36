'use strict';

const fs = require('fs');
const trimNewlines = require('trim-newlines');

function readBlock(file) {
  return trimNewlines(fs.readFileSync(file, 'utf8'));
}

function fill(template, values) {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name) =>
    name in values ? trimNewlines.end(String(values[name])) : whole
  );
}

function join(blocks) {
  return blocks.map(trimNewlines).join('\n\n') + '\n';
}

module.exports = { readBlock, fill, join };
