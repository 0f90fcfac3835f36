import React, { useMemo } from 'react';
import sanitizeHtml from 'sanitize-html/dist/sanitize-html-es2015';

const links = {
  a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'nofollow noopener' } })
};

export function Preview({ html, compact }) {
  const clean = useMemo(
    () =>
      sanitizeHtml(html, {
        allowedAttributes: { a: ['href', 'rel'] },
        transformTags: links,
        exclusiveFilter: (frame) => compact && frame.tag === 'p' && !frame.text.trim()
      }),
    [html, compact]
  );
  return <div className="preview" dangerouslySetInnerHTML={{ __html: clean }} />;
}
