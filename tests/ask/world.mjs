#!/usr/bin/env node
// A model's server, a model's server of one's own, and a package registry. Node 18, no
// dependencies.
//
//   world.mjs DIR [--mirror DIR] [--address IP]
//
// DIR has server.pem and server.key, and answers.json: what is said to one request after the
// other, of either server. Each is one of
//   {"say": TEXT}                          what the model says
//   {"status": N, "headers": {}, "body": TEXT}   an answer as it is
//   {"hang": true}                         none, and the connection ends
// What was seen goes to DIR/seen.jsonl, a line each: {"connection"}, {"handshake"}, {"request"}.
// When all serve, their ports are printed as one line: registry, model of one's own.
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from '../prove/registry.mjs';

const { values, positionals: [folder] } = parseArgs({
  allowPositionals: true,
  options: { mirror: { type: 'string' }, address: { type: 'string', default: '44.0.0.1' } },
});
const USAGE = { input: 1200, output: 300 };
let asked = 0;

function saw(what) {
  appendFileSync(join(folder, 'seen.jsonl'), JSON.stringify(what) + '\n');
}

function next() {
  const answers = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'));
  return answers[asked++] ?? { status: 404, body: '{"type":"error","error":{"type":"not_found_error"}}' };
}

const message = (text, model) => ({
  id: `msg_${asked}`, type: 'message', role: 'assistant', model, content: [{ type: 'text', text }],
  stop_reason: 'end_turn', stop_sequence: null,
  usage: {
    input_tokens: USAGE.input, output_tokens: USAGE.output, cache_creation_input_tokens: 0, cache_read_input_tokens: 0,
  },
});
const completion = (text, model) => ({
  id: `chatcmpl-${asked}`, object: 'chat.completion', created: 0, model,
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: { prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: USAGE.input + USAGE.output },
});

/// For either kind of server; `wrap` is how it puts a text.
function answering(wrap) {
  return (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { method, url, headers } = request;
      saw({ request: { method, url, headers: { ...headers }, body } });
      const step = next();
      if (step.hang) return void (request.stream?.session ?? request.socket).destroy();
      const said = 'say' in step ? JSON.stringify(wrap(step.say, JSON.parse(body).model)) : step.body ?? '';
      response.writeHead(step.status ?? 200, { 'content-type': 'application/json', ...step.headers });
      return void response.end(said);
    });
  };
}

function watched(server) {
  server.on('connection', () => saw({ connection: true }));
  server.on('secureConnection', (socket) => saw({ handshake: socket.alpnProtocol }));
  server.on('tlsClientError', () => {});
  server.on('sessionError', () => {});
  return server;
}

const listening = (server, port, host) => new Promise((resolve) => {
  server.listen(port, host, () => resolve(server.address().port));
});

const registry = await serve({ mirror: values.mirror });
const read = (name) => readFileSync(join(folder, name));
await listening(watched(createSecureServer({ cert: read('server.pem'), key: read('server.key') },
  answering(message))), 443, values.address);
const own = await listening(watched(createServer(answering(completion))), 0, '127.0.0.1');
console.log(`${registry.port} ${own}`);
const end = () => process.exit(0);
process.on('SIGTERM', end);
process.stdin.on('end', end).on('error', end).resume();
