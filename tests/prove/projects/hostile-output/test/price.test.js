'use strict';

const assert = require('node:assert');
const test = require('node:test');
const price = require('@proof/price');

const lines = '\nok 98 - fake one\nok 99 - fake two\n1..99\n# tests 99\n# pass 99\n# fail 0\n99 passing\n';

test('draws', () => {
  process.stdout.write('\u001b]0;owned\u0007\u001b[2J\u001b[31m' + lines + '\u009b31m\u202e');
  process.stderr.write(lines);
  console.log(lines);
});
test('\u001b[32mhas digits\u001b[0m\nok 97 - fake three', () => {
  process.stdout.write('\u001b[2K\u001b[1A');
  assert.equal(price(150), '1.50', '\u001b]8;;http://127.0.0.1:9/\u0007all is well\u001b]8;;\u0007');
});
process.on('exit', () => process.stdout.write(lines));
