'use strict';

const { randomUUID } = require('crypto');

async function deliverLetter(letter, carrier) {
  const lines = [...letter.headers].map(([key, value]) => `${key}: ${value}`);
  await carrier.carry(`${lines.join('\r\n')}\r\n\r\n${letter.body}`);
  return { receiptId: randomUUID() };
}

exports.deliverLetter = deliverLetter;
