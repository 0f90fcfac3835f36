import cheerio from 'cheerio';
import utils from 'cheerio/lib/utils.js';

export function readFeed(xml) {
  const $ = cheerio.load(xml, { xmlMode: true, normalizeWhitespace: true, decodeEntities: false });
  return $('item')
    .map((i, el) => ({
      title: $(el).find('title').text(),
      link: $(el).find('link').text()
    }))
    .get();
}

// Editors send us snippets such as "<p>Hi</p><img src=a.png>", never whole pages.
export function lazyImages(snippet) {
  if (!utils.isHtml(snippet)) return snippet;
  const $ = cheerio.load(snippet);
  $('img').attr('loading', 'lazy');
  return $.html();
}

export function plainText(html) {
  const $ = cheerio.load(html);
  $('script, style').remove();
  return $.root().text().trim();
}
