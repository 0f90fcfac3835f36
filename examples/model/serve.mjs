#!/usr/bin/env node
// A model server on loopback that says what a file says, whatever it is asked. Node 18.
//
//   serve.mjs ANSWER.json     prints the port as one line, then serves until standard input ends
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const content = readFileSync(process.argv[2], 'utf8').trim();
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const body = {
      id: 'chatcmpl-1', object: 'chat.completion', created: 0, model: 'scripted',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1200, completion_tokens: 300, total_tokens: 1500 },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
const end = () => process.exit(0);
process.on('SIGTERM', end);
process.stdin.on('end', end).on('error', end).resume();
