'use strict';
const query = require('tinyshop-query');
const { route } = require('tinyshop-router');
const session = require('tinyshop-session');

const PAGES = ['/cart', '/products'];

exports.answer = (path, search) => ({
  file: route(PAGES, path),
  filter: query.parse(search),
  session: session.open().id,
});
