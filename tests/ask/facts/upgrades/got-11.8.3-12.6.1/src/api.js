'use strict';

const got = require('got');

function createApi(baseUrl, { lookup, log }) {
  const client = got.extend({
    prefixUrl: baseUrl,
    responseType: 'json',
    timeout: 5000,
    retry: 2,
    lookup,
    hooks: {
      beforeRetry: [
        (options, error, retryCount) => {
          options.headers['x-attempt'] = String(retryCount);
          log(`again (${retryCount}): ${options.url.pathname}: ${error.code}`);
        },
      ],
    },
  });

  async function findUser(id) {
    try {
      const { body } = await client.get(`users/${id}`, { timeout: { request: 2000 } });
      return body;
    } catch (error) {
      if (error instanceof got.HTTPError && error.response.statusCode === 404) {
        return null;
      }
      throw error;
    }
  }

  async function allOrders(id) {
    return client.paginate.all(`users/${id}/orders`, {
      searchParams: { page: 1 },
      pagination: {
        transform: (response) => response.body.items,
        filter: (item, allItems) => !allItems.some((seen) => seen.id === item.id),
        paginate: (response, allItems, currentItems) =>
          currentItems.length === 0 ? false : { searchParams: { page: response.body.page + 1 } },
      },
    });
  }

  return { findUser, allOrders };
}

module.exports = { createApi };
