import React, { useEffect, useRef } from 'react';
import hljs from 'highlight.js';
import 'highlight.js/styles/atelier-cave-dark.css';

hljs.initHighlightingOnLoad();

export function Code({ language, children, multiline }) {
  const block = useRef(null);

  useEffect(() => {
    hljs.configure({ useBR: Boolean(multiline) });
    hljs.highlightBlock(block.current);
  }, [children, multiline]);

  return (
    <pre>
      <code ref={block} className={language}>
        {children}
      </code>
    </pre>
  );
}
