'use strict';

const { createProxyMiddleware } = require('http-proxy-middleware');

exports.live = (target, logger) => createProxyMiddleware(['/live', '!/live/private'], {
  target,
  ws: true,
  logProvider: () => logger,
  onProxyRes: (answer) => delete answer.headers['x-powered-by'],
  onOpen: () => logger.info('open'),
});
