import React, { useMemo } from 'react';
import DOMPurify from 'dompurify';
import marked from 'marked';

const renderer = new marked.Renderer();
renderer.image = (href, title, text) => `<figure><img src="${href}" alt="${text}"></figure>`;

export function Preview({ text, inline }) {
  const html = useMemo(() => {
    const raw = inline ? marked.parseInline(text) : marked(text, { renderer, breaks: true });
    return DOMPurify.sanitize(raw);
  }, [text, inline]);

  return <article className="preview" dangerouslySetInnerHTML={{ __html: html }} />;
}
