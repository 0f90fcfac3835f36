'use strict';
const bare = () => Object.create(null);
exports.parse = (text) => {
  const out = bare();
  for (const [key, value] of new URLSearchParams(text)) {
    const path = key.split('.');
    const last = path.pop();
    path.reduce((at, name) => (at[name] ??= bare()), out)[last] = value;
  }
  return out;
};
