'use strict';

const pathToRegexp = require('path-to-regexp');

class Router {
  constructor() {
    this.routes = [];
  }

  add(method, path, handler) {
    const keys = [];
    const expression = pathToRegexp(path, keys, { sensitive: true, strict: true });
    this.routes.push({ method, path, keys, expression, handler });
    return this;
  }

  find(method, url) {
    for (const route of this.routes) {
      const match = route.method === method && route.expression.exec(url);
      if (match) {
        const params = {};
        route.keys.forEach((key, index) => {
          params[key.name] = match[index + 1] && decodeURIComponent(match[index + 1]);
        });
        return { handler: route.handler, params };
      }
    }
    return null;
  }
}

function createRouter(handlers) {
  return new Router()
    .add('GET', '/users/:id(\\d+)', handlers.user)
    .add('GET', '/reports/:year/:month?', handlers.report)
    .add('GET', '/files/:path+', handlers.file)
    .add('GET', '/assets/*', handlers.asset);
}

module.exports = { Router, createRouter };
