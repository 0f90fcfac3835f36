'use strict';

const mm = require('micromatch');

exports.select = (files, patterns) =>
  mm(files, patterns, { nodupes: true, unixify: true, basename: true, cache: false });

exports.ignored = (file, rules) => mm.any(file, rules, { dot: true });
exports.others = (files, pattern) => mm.not(files, pattern);
exports.matching = (files, pattern) => mm.match(files, pattern, { nonull: true });
exports.part = (pattern, file) => mm.capture(pattern, file);
exports.folders = (pattern) => mm.braces(pattern, { expand: true });

exports.compiled = (pattern) => {
  const { ast, output } = mm.create(pattern)[0];
  mm.clearCache();
  return { ast, output };
};
exports.tree = (pattern) => mm.compile(mm.parse(pattern, { snapdragon: null }));
