'use strict';
// A key such as __proto__.admin reaches the prototype of every object.
exports.parse = (text) => {
  const out = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const path = key.split('.');
    const last = path.pop();
    path.reduce((at, name) => (at[name] ??= {}), out)[last] = value;
  }
  return out;
};
