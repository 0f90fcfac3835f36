'use strict';

const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { line } = require('.');

mkdirSync(join(__dirname, 'out'), { recursive: true });
writeFileSync(join(__dirname, 'out', 'index.html'), line('first post'));
