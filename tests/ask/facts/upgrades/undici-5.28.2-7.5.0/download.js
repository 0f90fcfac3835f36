'use strict';

const { Agent, File, createRedirectInterceptor, errors, request, setGlobalDispatcher } = require('undici');

const redirect = createRedirectInterceptor({ maxRedirections: 5 });

setGlobalDispatcher(
  new Agent({
    connections: 20,
    interceptors: { Agent: [redirect] }
  })
);

async function download(url, name) {
  const { body, headers } = await request(url, { throwOnError: true });
  const bytes = await body.arrayBuffer();
  return new File([bytes], name, { type: headers['content-type'] });
}

async function resolveShortLink(link) {
  const { context, body } = await request(link, { method: 'GET', maxRedirections: 3 });
  await body.dump();
  return context.history.map(String).pop();
}

async function tryDownload(url, name) {
  try {
    return await download(url, name);
  } catch (err) {
    if (err instanceof errors.ResponseStatusCodeError && err.status === 404) return null;
    if (err.code === 'UND_ERR_RESPONSE_STATUS_CODE') err.message += `: ${JSON.stringify(err.body)}`;
    throw err;
  }
}

module.exports = { download, resolveShortLink, tryDownload };
