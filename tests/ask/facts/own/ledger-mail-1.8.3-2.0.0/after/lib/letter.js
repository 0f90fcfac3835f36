'use strict';

const { parseMailbox } = require('./mailbox');

function oneLine(text) {
  if (/[\r\n]/.test(text)) throw new RangeError('a header is one line');
  return text;
}

function composeLetter({ recipient, subject, body, answerTo }) {
  parseMailbox(recipient);
  const headers = new Map([
    ['To', oneLine(recipient)],
    ['Subject', oneLine(subject)],
  ]);
  if (answerTo !== undefined) headers.set('Reply-To', oneLine(answerTo));
  return { headers, body: String(body) };
}

exports.composeLetter = composeLetter;
