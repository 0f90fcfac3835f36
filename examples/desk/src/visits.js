'use strict';
const doors = require('tinyshop-session');

const inside = new Map();

/// Whoever comes in gets a badge with a number that nobody else has.
exports.welcome = (name) => {
  const visit = doors.open();
  inside.set(visit.id, name);
  return { name, badge: visit.id };
};

exports.leave = (badge) => inside.delete(badge);
