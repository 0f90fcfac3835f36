'use strict';

const LRU = require('lru-cache');

const names = new LRU(500);
const forever = new LRU();

exports.nameOf = async (id, load) => {
  if (!names.has(id)) {
    names.set(id, await load(id));
  }
  return names.get(id);
};
exports.keep = (id, name) => forever.set(id, name);
exports.all = () => names.keys().concat(forever.keys());
