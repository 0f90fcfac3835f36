'use strict';

const fs = require('fs');
const yaml = require('js-yaml');

const envType = new yaml.Type('!env', {
  kind: 'scalar',
  resolve: (name) => typeof name === 'string' && name.length > 0,
  construct: (name) => process.env[name] || '',
});

const includeType = new yaml.Type('!include', {
  kind: 'scalar',
  construct: (file) => yaml.safeLoad(fs.readFileSync(file, 'utf8'), { filename: file }),
});

const SETTINGS_SCHEMA = yaml.Schema.create(yaml.DEFAULT_SAFE_SCHEMA, [envType, includeType]);

function readSettings(file) {
  return yaml.safeLoad(fs.readFileSync(file, 'utf8'), { filename: file, schema: SETTINGS_SCHEMA });
}

// The rules are our own files and hold regular expressions (!!js/regexp).
function readRules(text) {
  return yaml.load(text, { schema: yaml.DEFAULT_FULL_SCHEMA }).rules;
}

module.exports = { readSettings, readRules };
