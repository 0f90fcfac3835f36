const postcss = require('postcss');

// rem(16) becomes 1rem
const toRem = postcss.plugin('to-rem', (options) => {
  const base = (options && options.base) || 16;
  return (root, result) => {
    root.walkDecls((decl) => {
      if (!decl.value.includes('rem(')) return;
      decl.value = decl.value.replace(/rem\(([\d.]+)\)/g, (all, px) => {
        if (Number(px) > 1000) decl.warn(result, `${px}px looks too big`);
        return `${Number(px) / base}rem`;
      });
    });
  };
});

// Marks every file with the name of the build that wrote it.
const stamp = postcss.plugin('stamp', (build) => (root) => {
  root.prepend(postcss.comment({ text: `build ${build}` }));
  root.walkAtRules('debug', (rule) => rule.remove());
});

function compile(css, file, build) {
  return postcss([toRem({ base: 16 }), stamp(build)])
    .process(css, { from: file, map: { inline: false } })
    .then((result) => ({ css: result.css, map: result.map.toJSON() }));
}

function compileOne(css) {
  return toRem.process(css, { from: undefined }, { base: 10 });
}

module.exports = { toRem, stamp, compile, compileOne };
