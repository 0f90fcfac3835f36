'use strict';

const path = require('path');
const minimatch = require('minimatch');

const sources = minimatch.filter('*.{js,ts}', { matchBase: true });
const isTest = new minimatch.Minimatch('**/*.test.*', { dot: true });

function toCheck(files) {
  return files.filter(sources).filter((file) => !isTest.match(file));
}

// Folders come from the settings of the user, on Windows with backslashes.
function under(folder) {
  const pattern = path.join(folder, '**', '*.md');
  return (file) => minimatch(file, pattern, { nocase: true });
}

function owners(rules, file) {
  for (const rule of [...rules].reverse()) {
    if (minimatch(file, rule.pattern, { matchBase: !rule.pattern.includes('/') })) {
      return rule.owners;
    }
  }
  return [];
}

module.exports = { toCheck, under, owners };
