'use strict';

const kAngled = /^([^<>\r\n]*)<([^<>@\s]+)@([^<>@\s]+)>$/;
const kBare = /^([^\s@<>]+)@([^\s@<>]+)$/;

function parseMailbox(text) {
  const trimmed = String(text).trim();
  const angled = kAngled.exec(trimmed);
  if (angled) {
    return { label: angled[1].trim(), local: angled[2], domain: angled[3].toLowerCase() };
  }
  const bare = kBare.exec(trimmed);
  if (bare === null) throw new TypeError(`not a mailbox: ${trimmed}`);
  return { label: '', local: bare[1], domain: bare[2].toLowerCase() };
}

exports.parseMailbox = parseMailbox;
