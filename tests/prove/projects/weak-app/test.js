'use strict';

const assert = require('node:assert');
const slug = require('@proof/slug');

assert.equal(slug('Hello, World'), 'hello-world');
assert.equal(slug('a'), 'a');
