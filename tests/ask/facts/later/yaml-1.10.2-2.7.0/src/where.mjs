import YAML from 'yaml';

export function where(text) {
  const [error] = YAML.parseDocument(text).errors;
  if (!error) return null;
  return { name: error.name, message: error.message, line: error.linePos.start.line };
}

export function make(value) {
  const document = new YAML.Document();
  document.contents = YAML.createNode(value, true);
  return document.toString();
}
