// A model server for tests: node server.mjs MODE ADDRESS PORT FOLDER
//
// FOLDER has key.pem and chain.pem, and plan.json for what the model says. What happens is
// written to standard output, one JSON object a line: listening, tcp, secure (the handshake is
// complete: the client's Finished came), stream (a request, with its headers and body), bytes
// (of a connection that was read raw), failed (a handshake that ended).
import fs from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import tls from 'node:tls';

const [mode, address, port, folder] = process.argv.slice(2);
const say = (what, more = {}) => fs.writeSync(1, JSON.stringify({ what, ...more }) + '\n');
const read = (name) => fs.readFileSync(`${folder}/${name}`);
const identity = { key: read('key.pem'), cert: read('chain.pem') };
const plan = () => read('plan.json').toString();

const usage = {
  input_tokens: 1200,
  output_tokens: 80,
  cache_creation_input_tokens: 30,
  cache_read_input_tokens: 7,
};
const envelope = (text, more = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test-1',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
  ...more,
});
const error = (type) => JSON.stringify({ type: 'error', error: { type, message: 'no' } });
const json = { ':status': 200, 'content-type': 'application/json' };

// Answers with a whole body; each may look at the request.
const bodies = {
  plan: () => JSON.stringify(envelope(plan())),
  prose: () => JSON.stringify(envelope('Here is the plan:\n' + plan())),
  prose_after: () => JSON.stringify(envelope(plan() + '\nHope this helps.')),
  extra_key: () => JSON.stringify(envelope(plan().replace(/\}\s*$/, ',"note":"x"}'))),
  duplicate_key: () => JSON.stringify(envelope(plan().replace('{', '{"kind":"refuse",'))),
  cut: () => JSON.stringify(envelope(plan().slice(0, 20), { stop_reason: 'max_tokens' })),
  refusal: () => JSON.stringify(envelope('', { content: [], stop_reason: 'refusal' })),
  full: () => JSON.stringify(envelope(plan(), { stop_reason: 'model_context_window_exceeded' })),
  paused: () => JSON.stringify(envelope(plan(), { stop_reason: 'pause_turn' })),
  thinking: () =>
    JSON.stringify(
      envelope('', {
        content: [
          { type: 'thinking', thinking: 'first', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'c2VhbGVk' },
          { type: 'text', text: plan() },
        ],
      }),
    ),
  late_error: () => error('overloaded_error'),
  tool: () =>
    JSON.stringify(
      envelope('', {
        content: [{ type: 'tool_use', id: 'x', name: 'bash', input: {} }],
        stop_reason: 'tool_use',
      }),
    ),
  two_blocks: () =>
    JSON.stringify(
      envelope('', {
        content: [
          { type: 'text', text: plan() },
          { type: 'text', text: plan() },
        ],
      }),
    ),
  not_json: () => 'I am a teapot',
  outer_duplicate: () => JSON.stringify(envelope(plan())).replace('{', '{"type":"message",'),
  outer_cut: () => JSON.stringify(envelope(plan())).slice(0, -20),
  no_usage: () => JSON.stringify(envelope(plan(), { usage: undefined })),
  negative_usage: () => JSON.stringify(envelope(plan(), { usage: { ...usage, input_tokens: -1 } })),
  echo_key: (headers) => JSON.stringify(envelope(plan(), { model: headers['x-api-key'] })),
  echo_escaped: (headers) =>
    JSON.stringify(envelope(plan(), { model: 'KEY' })).replace(
      'KEY',
      [...headers['x-api-key']]
        .map((c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
        .join(''),
    ),
};
const refusals = {
  redirect: [{ ':status': 307, location: 'https://elsewhere.example/v1/messages' }, ''],
  too_many: [{ ':status': 429, 'retry-after': '7', ...typed() }, error('rate_limit_error')],
  overloaded: [{ ':status': 529, ...typed() }, error('overloaded_error')],
  broken: [{ ':status': 500, ...typed() }, error('api_error')],
  forbidden: [{ ':status': 401, ...typed() }, error('authentication_error')],
  absurd: [{ ':status': 529, 'retry-after': '999999999', ...typed() }, error('overloaded_error')],
  someday: [{ ':status': 429, 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT', ...typed() }, '{'],
  gateway: [{ ':status': 502, 'content-type': 'text/html' }, '<html>Bad Gateway</html>'],
  events: [{ ':status': 200, 'content-type': 'text/event-stream' }, 'event: ping\ndata: {}\n\n'],
  html: [{ ':status': 200, 'content-type': 'text/html' }, '<html>'],
};
function typed() {
  return { 'content-type': 'application/json' };
}

function misbehave(stream, session) {
  switch (mode) {
    case 'silent':
      return true;
    case 'drip': // a byte now and then, for ever
      stream.respond(json);
      setInterval(() => stream.destroyed || stream.write(' '), 20).unref();
      return true;
    case 'huge': {
      stream.respond(json);
      const piece = Buffer.alloc(64 << 10, 0x20);
      const more = () => {
        while (!stream.destroyed && stream.write(piece));
      };
      stream.on('drain', more);
      more();
      return true;
    }
    case 'reset':
      stream.respond(json);
      stream.write('{"type":');
      setTimeout(() => stream.destroy(new Error('on purpose')), 30);
      return true;
    case 'hangs_up':
      stream.respond(json);
      stream.write('{"type":');
      setTimeout(() => last.destroy(), 30);
      return true;
    case 'goaway_late': // the stream was taken, and is never answered
      session.goaway(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
      setTimeout(() => last.destroy(), 30);
      return true;
    case 'many_headers': {
      const headers = { ...json };
      for (let i = 0; i < 200; ++i) headers[`x-filler-${i}`] = 'x'.repeat(50);
      stream.respond(headers);
      stream.end('{}');
      return true;
    }
    case 'interim':
      stream.additionalHeaders({ ':status': 103, link: '</x>' });
      stream.respond(json);
      stream.end(bodies.plan());
      return true;
  }
  return false;
}

function serveHttp2() {
  const server = http2.createSecureServer({ ...identity, allowHTTP1: false });
  server.on('session', (session) => session.on('error', () => {}));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    let body = '';
    stream.on('data', (piece) => (body += piece));
    stream.on('end', () => {
      say('stream', { headers, body });
      if (misbehave(stream, stream.session)) return;
      if (refusals[mode]) {
        stream.respond(refusals[mode][0]);
        stream.end(refusals[mode][1]);
        return;
      }
      stream.respond(json);
      stream.end(bodies[mode](headers));
    });
  });
  return server;
}

// TLS without HTTP/2 behind it: what it agrees to, and what it says.
function serveRaw(protocols, words) {
  const server = tls.createServer({ ...identity, ALPNProtocols: protocols });
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => say('bytes', { size: bytes.length, text: bytes.toString('latin1') }));
    if (words) socket.write(words);
  });
  return server;
}

function serve() {
  switch (mode) {
    case 'http1': {
      const server = https.createServer({ ...identity, ALPNProtocols: ['http/1.1'] });
      server.on('request', (request, response) => {
        say('stream', { headers: request.headers });
        response.end('{}');
      });
      return server;
    }
    case 'no_alpn':
      return serveRaw(undefined, '');
    case 'tls12':
      return http2.createSecureServer({ ...identity, maxVersion: 'TLSv1.2' });
    case 'garbage':
      return serveRaw(['h2'], 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    case 'goaway': // SETTINGS, then GOAWAY: no stream was taken
      return serveRaw(['h2'], Buffer.from('00000004000000000000000807000000000000000000' + '0000000b', 'hex'));
    case 'noise':
      return serveRaw(['h2'], Buffer.alloc(4096, 0xff));
  }
  return serveHttp2();
}

let last; // the raw socket of the newest connection
const server = serve();
process.stdin.resume().on('end', () => process.exit()); // with the test, however that ends
server.on('secureConnection', (socket) => (last = socket));
server.on('connection', () => say('tcp'));
server.on('secureConnection', (socket) => say('secure', { alpn: socket.alpnProtocol }));
server.on('tlsClientError', (failure) => say('failed', { code: failure.code ?? '' }));
server.on('error', (failure) => say('error', { message: failure.message }));
server.listen(Number(port), address, () => say('listening'));
