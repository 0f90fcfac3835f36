import React from 'react';
import decode from 'decode-uri-component';

export function SearchBox({ hash, onSearch }) {
  const [text, setText] = React.useState(() => decode(hash.replace(/^#search=/, '')));

  function submit(event) {
    event.preventDefault();
    onSearch(text.trim());
  }

  return (
    <form onSubmit={submit}>
      <input value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit">Search</button>
    </form>
  );
}
