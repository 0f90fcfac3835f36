'use strict';

const normalizeUrl = require('normalize-url');

const KEEP = { stripHash: false, removeQueryParameters: [/^utm_\w+/i, 'ref', 'fbclid'] };

class Bookmarks {
  constructor() {
    this.byUrl = new Map();
  }

  // The anchor of a page is a part of the bookmark, whatever kind of anchor it is.
  add(address, title) {
    const url = normalizeUrl(address, { ...KEEP, defaultProtocol: 'https:' });
    if (!/^https?:/.test(url)) {
      throw new Error(`not a web page: ${url}`);
    }
    if (!this.byUrl.has(url)) {
      this.byUrl.set(url, { url, title, added: Date.now() });
    }
    return this.byUrl.get(url);
  }

  // Links of other programs, such as git://host/a//b/, are compared in their normal form.
  sameTarget(left, right) {
    return normalizeUrl(left) === normalizeUrl(right);
  }
}

module.exports = { Bookmarks };
