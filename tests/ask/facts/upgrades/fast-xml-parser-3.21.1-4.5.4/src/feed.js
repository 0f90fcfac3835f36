'use strict';

const parser = require('fast-xml-parser');

const options = {
  ignoreAttributes: false,
  attributeNamePrefix: '',
  attrNodeName: 'attributes',
  ignoreNameSpace: true,
  parseNodeValue: false,
  cdataTagName: '__cdata',
  arrayMode: /^(item|category)$/,
  tagValueProcessor: (value, name) => (name === 'pubDate' ? value.replace('UT', 'GMT') : value),
  attrValueProcessor: (value, name) => (name === 'url' ? value.replace(/^http:/, 'https:') : value),
};

function readFeed(xml) {
  const result = parser.validate(xml);
  if (result !== true) {
    throw new Error(`line ${result.err.line}: ${result.err.msg}`);
  }
  const { rss } = parser.parse(xml, options);
  return rss.channel.item.map((item) => ({
    title: item.title,
    date: new Date(item.pubDate),
    text: item.description && item.description.__cdata,
    picture: item.enclosure && item.enclosure.attributes.url,
  }));
}

function readStrict(xml) {
  return parser.parse(xml, { ignoreAttributes: true, numParseOptions: { hex: false, leadingZeros: false } }, true);
}

module.exports = { readFeed, readStrict };
