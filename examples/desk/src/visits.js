'use strict';
const doors = require('tinyshop-session');

const inside = new Map();

/// Whoever comes in gets a badge with a number that nobody else has.
exports.welcome = (name) => {
  const visit = { name, badge: doors.open().id };
  inside.set(visit.badge, name);
  return visit;
};

exports.leave = (badge) => inside.delete(badge);
