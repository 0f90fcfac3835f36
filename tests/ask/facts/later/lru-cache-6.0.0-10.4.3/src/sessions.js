'use strict';

const LRU = require('lru-cache');

const sessions = new LRU({
  max: 50 * 1024 * 1024,
  maxAge: 30 * 60 * 1000,
  stale: true,
  updateAgeOnGet: true,
  length: (value, key) => value.length + key.length,
  dispose: (key, value) => value.close(),
});

exports.remember = (id, session, minutes) => sessions.set(id, session, minutes * 60 * 1000);
exports.find = (id) => sessions.get(id);
exports.forget = (id) => sessions.del(id);
exports.forgetAll = () => sessions.reset();
exports.tidy = () => sessions.prune();
exports.size = () => ({ bytes: sessions.length, count: sessions.itemCount });
exports.save = () => JSON.stringify(sessions.dump());
