const buildURL = require('axios/lib/helpers/buildURL');
const createError = require('axios/lib/core/createError');
const settle = require('axios/lib/core/settle');
const httpAdapter = require('axios/lib/adapters/http');
const axios = require('axios');

const TTL = 30 * 1000;
const cache = new Map();

function cachedAdapter(config) {
  const key = buildURL(config.url, config.params, config.paramsSerializer);
  const hit = config.method === 'get' && cache.get(key);

  if (hit && hit.until > Date.now()) {
    return new Promise((resolve, reject) => {
      settle(resolve, reject, Object.assign({}, hit.response, { config }));
    });
  }

  if (config.url.indexOf('forbidden') !== -1) {
    return Promise.reject(createError('Blocked by policy', config, 'EBLOCKED'));
  }

  return httpAdapter(config).then((response) => {
    cache.set(key, { until: Date.now() + TTL, response });
    return response;
  });
}

module.exports = axios.create({ adapter: cachedAdapter, timeout: 5000 });
