const kEntities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function stencil(text, data) {
  return stencil.compile(text)(data);
}

stencil.delimiters = ['{{', '}}'];

stencil.escape = function (value) {
  return String(value).replace(/[&<>"]/g, (letter) => kEntities[letter]);
};

stencil.compile = function (text) {
  const [open, close] = stencil.delimiters;
  const pieces = text.split(open).map((piece, n) => {
    if (n === 0) return { literal: piece };
    const end = piece.indexOf(close);
    return { key: piece.slice(0, end).trim(), literal: piece.slice(end + close.length) };
  });
  return (data) =>
    pieces
      .map(({ key, literal }) => {
        if (key === undefined) return literal;
        const value = data[key];
        return (value === undefined ? '' : stencil.escape(value)) + literal;
      })
      .join('');
};

export default stencil;
