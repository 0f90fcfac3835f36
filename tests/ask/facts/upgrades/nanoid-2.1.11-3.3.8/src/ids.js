'use strict';

const crypto = require('crypto');
const nanoid = require('nanoid');
const generate = require('nanoid/generate');
const format = require('nanoid/format');
const url = require('nanoid/url');
const nanoidAsync = require('nanoid/async');
const generateAsync = require('nanoid/async/generate');

const READABLE = '23456789abcdefghjkmnpqrstuvwxyz';

function requestId() {
  return nanoid(12);
}

function inviteCode() {
  return generate(READABLE, 8);
}

async function sessionId() {
  return `s_${await nanoidAsync()}_${await generateAsync(READABLE, 6)}`;
}

// The same seed gives the same name, so that previews keep their address.
function stableName(seed) {
  let counter = 0;
  const random = (size) => {
    const bytes = [];
    while (bytes.length < size) {
      bytes.push(...crypto.createHash('sha256').update(`${seed}:${counter++}`).digest());
    }
    return bytes.slice(0, size);
  };
  return format(random, url, 16);
}

module.exports = { requestId, inviteCode, sessionId, stableName };
