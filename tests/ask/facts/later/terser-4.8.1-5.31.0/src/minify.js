'use strict';

const fs = require('fs');
const Terser = require('terser');

module.exports = function minify(file, { log }) {
  const result = Terser.minify(
    { [file]: fs.readFileSync(file, 'utf8') },
    {
      ecma: 8,
      warnings: true,
      compress: { drop_console: true },
      mangle: { reserved: ['require'] },
      output: { comments: /^!/, beautify: false },
      sourceMap: { filename: `${file}.min.js`, url: `${file}.min.js.map` },
    }
  );
  if (result.error) {
    throw result.error;
  }
  for (const warning of result.warnings || []) log(warning);
  fs.writeFileSync(`${file}.min.js`, result.code);
  fs.writeFileSync(`${file}.min.js.map`, result.map);
  return result.code.length;
};
