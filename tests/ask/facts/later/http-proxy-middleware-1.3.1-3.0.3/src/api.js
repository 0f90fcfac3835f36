'use strict';

const express = require('express');
const { createProxyMiddleware } = require('http-proxy-middleware');

const app = express();

app.use(createProxyMiddleware('/api', {
  target: 'http://127.0.0.1:9000',
  pathRewrite: { '^/api': '' },
  logLevel: 'warn',
  onProxyReq: (request, incoming) => request.setHeader('x-user', incoming.headers['x-user'] || ''),
  onError: (error, request, response) => {
    response.writeHead(502);
    response.end(error.message);
  },
}));

module.exports = app;
