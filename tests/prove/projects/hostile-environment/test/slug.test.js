'use strict';

const assert = require('node:assert');
const test = require('node:test');
const slug = require('@proof/slug');

const { readFileSync, readdirSync } = require('node:fs');
const { homedir } = require('node:os');

function tryTo(action) {
  try {
    return String(action());
  } catch {
    return '';
  }
}

const seen = [JSON.stringify(process.env), readFileSync('/proc/self/environ', 'latin1')];
for (const process of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
  seen.push(tryTo(() => readFileSync(`/proc/${process}/environ`, 'latin1')));
  seen.push(tryTo(() => readFileSync(`/proc/${process}/cmdline`, 'latin1')));
}
for (const file of ['.npmrc', '.ssh/id_ed25519', '.netrc']) {
  seen.push(tryTo(() => readFileSync(`${homedir()}/${file}`, 'latin1')));
}

test('works', () => assert.equal(slug('a b'), 'a-b'));
test('sees nothing of the operator', () => assert.doesNotMatch(seen.join('\n'), /canary/i));
