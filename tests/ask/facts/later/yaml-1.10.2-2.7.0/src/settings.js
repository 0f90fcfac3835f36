'use strict';

const YAML = require('yaml');
const { YAMLMap, Pair } = require('yaml/types');

YAML.scalarOptions.str.fold.lineWidth = 120;
YAML.scalarOptions.null.nullStr = '~';

exports.read = (text) => YAML.parse(text, { mapAsMap: true, prettyErrors: true });
exports.write = (value) => YAML.stringify(value, { indent: 4 });

exports.rename = (text, from, to) => {
  const document = YAML.parseDocument(text, { keepCstNodes: true });
  if (document.errors.length > 0) throw document.errors[0];
  if (document.contents instanceof YAMLMap) {
    for (const pair of document.contents.items) {
      if (pair instanceof Pair && pair.key.value === from) pair.key.value = to;
    }
  }
  return String(document);
};
