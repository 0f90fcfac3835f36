const hljs = require('highlight.js/lib/highlight');
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

['bash', 'cs', 'htmlbars', 'javascript', 'nimrod'].forEach((name) => {
  hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
});

hljs.configure({ tabReplace: '  ', classPrefix: 'hl-' });

function codeBlock(source, lang) {
  if (lang && hljs.getLanguage(lang)) {
    const result = hljs.highlight(lang, source, true);
    return `<pre><code class="${result.language}">${hljs.fixMarkup(result.value)}</code></pre>`;
  }
  const guess = hljs.highlightAuto(source, ['bash', 'javascript']);
  if (guess.second_best && guess.second_best.relevance === guess.relevance) {
    return `<pre><code>${source.replace(/[&<>]/g, (c) => entities[c])}</code></pre>`;
  }
  return `<pre><code class="${guess.language}">${hljs.fixMarkup(guess.value)}</code></pre>`;
}

module.exports = { codeBlock };
