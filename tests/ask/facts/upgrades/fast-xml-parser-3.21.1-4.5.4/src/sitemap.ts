import { j2xParser as Builder, validate } from 'fast-xml-parser';

export interface Page {
  path: string;
  changed: Date;
}

const builder = new Builder({
  attributeNamePrefix: '',
  attrNodeName: '$',
  ignoreAttributes: false,
  format: true,
  supressEmptyNode: true,
  tagValueProcessor: (value: string) => String(value).replace(/&/g, '&amp;'),
});

export function sitemap(origin: string, pages: Page[]): string {
  const xml = builder.parse({
    urlset: {
      $: { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' },
      url: pages.map((page) => ({ loc: origin + page.path, lastmod: page.changed.toISOString() })),
    },
  });
  if (validate(xml) !== true) {
    throw new Error('not well-formed');
  }
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml;
}
