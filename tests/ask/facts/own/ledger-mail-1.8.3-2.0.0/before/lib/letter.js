'use strict';

function readAddress(text) {
  var angled = /^\s*(.*?)\s*<([^<>@]+)@([^<>@]+)>\s*$/.exec(text);
  if (angled) return { name: angled[1], user: angled[2], host: angled[3].toLowerCase() };
  var bare = /^\s*([^\s@]+)@([^\s@]+)\s*$/.exec(text);
  if (!bare) throw new TypeError('not an address: ' + text);
  return { name: '', user: bare[1], host: bare[2].toLowerCase() };
}

function makeLetter(to, subject, body, replyTo) {
  readAddress(to);
  var headers = { To: to, Subject: subject };
  if (replyTo) headers['Reply-To'] = replyTo;
  return { headers: headers, body: String(body) };
}

exports.readAddress = readAddress;
exports.makeLetter = makeLetter;
