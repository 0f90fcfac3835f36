#!/usr/bin/env node
// Makes a project of ./projects depend on `extra`, an archive at an address of its own, and its
// lock say so as its package manager would.
//
//   depend.mjs FOLDER URL ARCHIVE [MEMBERS]   MEMBERS: JSON, added to package.json
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const [folder, url, archive, members = '{}'] = process.argv.slice(2);
const digest = (algorithm, form) => createHash(algorithm).update(readFileSync(archive)).digest(form);
const integrity = `sha512-${digest('sha512', 'base64')}`;

function change(name, edit) {
  const path = `${folder}/${name}`;
  if (existsSync(path)) writeFileSync(path, edit(readFileSync(path, 'utf8')));
}
const changeJson = (name, edit) =>
  change(name, (text) => JSON.stringify(edit(JSON.parse(text)), null, 2) + '\n');
const withExtra = (json) => ({ ...json, dependencies: { ...json.dependencies, extra: url } });

changeJson('package.json', (json) => ({ ...withExtra(json), ...JSON.parse(members) }));
changeJson('package-lock.json', (json) => {
  json.packages[''] = withExtra(json.packages['']);
  json.packages['node_modules/extra'] = { version: '1.0.0', resolved: url, integrity };
  return json;
});
change('yarn.lock', (text) =>
  `${text}\n"extra@${url}":\n  version "1.0.0"\n  resolved "${url}#${digest('sha1', 'hex')}"\n`);
change('pnpm-lock.yaml', (text) => text
  .replace('    devDependencies:\n', `      extra:\n        specifier: ${url}\n        version: ${url}\n    devDependencies:\n`)
  .replace('\npackages:\n', `\npackages:\n\n  extra@${url}:\n    resolution: {integrity: ${integrity}, tarball: ${url}}\n    version: 1.0.0\n`)
  .replace('\nsnapshots:\n', `\nsnapshots:\n\n  extra@${url}: {}\n`));
