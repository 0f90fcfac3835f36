// What the registry has: packages/<name>/versions.json and the code beside it.
//
//   name, tags          `latest` is the highest stable version unless tags says otherwise
//   unpublished         {version: time}: once there, now only in `time`
//   every               manifest fields of all versions
//   versions            {version: manifest fields, and these of our own:}
//     published         when
//     code              the file that is its index.js; index.js, or else a line that is made up
//     files             {path: file}: what else is in the tarball
//     bundled           {name: version}: copies inside the tarball
//     shrinkwrapped     {name: version}: an npm-shrinkwrap.json inside the tarball
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pack } from './tarball.mjs';

const NEUTRAL = 'https://registry.example';
const OWN_FIELDS = ['published', 'code', 'files', 'bundled', 'shrinkwrapped'];

export function tarballPath(name, version) {
  return `/${name}/-/${name.replace(/^@[^/]*\//, '')}-${version}.tgz`;
}

function compareVersions(a, b) {
  const split = (v) => v.split('-');
  const [coreA, preA] = split(a);
  const [coreB, preB] = split(b);
  const x = coreA.split('.').map(Number);
  const y = coreB.split('.').map(Number);
  for (let i = 0; i < 3; ++i) if (x[i] !== y[i]) return x[i] - y[i];
  if (!preA || !preB) return preA ? -1 : preB ? 1 : 0;
  return preA < preB ? -1 : preA > preB ? 1 : 0;
}

export class Catalog {
  #packages = new Map();
  #packed = new Map();

  constructor(folder) {
    this.#read(folder);
  }

  #read(folder) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const inside = join(folder, entry.name);
      const file = join(inside, 'versions.json');
      if (!existsSync(file)) {
        this.#read(inside); // a scope
        continue;
      }
      const described = JSON.parse(readFileSync(file, 'utf8'));
      this.#packages.set(described.name, { ...described, folder: inside });
    }
  }

  names() {
    return [...this.#packages.keys()].sort();
  }

  versions(name) {
    return Object.keys(this.#packages.get(name)?.versions ?? {}).sort(compareVersions);
  }

  /// package.json as it is in the tarball.
  manifest(name, version) {
    const { every, versions } = this.#packages.get(name);
    const manifest = { name, version, main: 'index.js', license: 'MIT', ...every, ...versions[version] };
    for (const field of OWN_FIELDS) delete manifest[field];
    delete manifest.deprecated; // said later, by the registry alone
    const { bundled } = versions[version];
    if (bundled) manifest.bundleDependencies = Object.keys(manifest.dependencies ?? {});
    return manifest;
  }

  #files(name, version) {
    const { folder, versions } = this.#packages.get(name);
    const { code = 'index.js', files: others = {}, bundled = {}, shrinkwrapped } = versions[version];
    const source = join(folder, code);
    const files = {
      'package.json': JSON.stringify(this.manifest(name, version), null, 2) + '\n',
      'index.js': existsSync(source)
        ? readFileSync(source, 'utf8')
        : `'use strict';\nmodule.exports = '${name} ${version}';\n`,
    };
    for (const [path, file] of Object.entries(others)) {
      files[path] = readFileSync(join(folder, file), 'utf8');
    }
    for (const [child, at] of Object.entries(bundled)) {
      for (const [path, text] of Object.entries(this.#files(child, at))) {
        files[`node_modules/${child}/${path}`] = text;
      }
    }
    if (shrinkwrapped) {
      files['npm-shrinkwrap.json'] = this.#shrinkwrap(name, version, shrinkwrapped);
    }
    return files;
  }

  #shrinkwrap(name, version, children) {
    const { dependencies } = this.manifest(name, version);
    const packages = { '': { name, version, license: 'MIT', dependencies } };
    for (const [child, at] of Object.entries(children)) {
      packages[`node_modules/${child}`] = {
        version: at,
        resolved: NEUTRAL + tarballPath(child, at),
        integrity: this.tarball(child, at).integrity,
        license: 'MIT',
      };
    }
    const lock = { name, version, lockfileVersion: 3, requires: true, packages };
    return JSON.stringify(lock, null, 2) + '\n';
  }

  /// Nothing if there is no such version.
  tarball(name, version) {
    if (!this.#packages.get(name)?.versions[version]) return undefined;
    const key = `${name}@${version}`;
    if (!this.#packed.has(key)) this.#packed.set(key, pack(this.#files(name, version)));
    return this.#packed.get(key);
  }

  /// As a registry at `base` answers; nothing if there is no such package.
  packument(name, base = NEUTRAL) {
    const described = this.#packages.get(name);
    if (!described) return undefined;
    const all = this.versions(name);
    const stable = all.filter((v) => !v.includes('-'));
    const time = {};
    const versions = {};
    for (const version of all) {
      time[version] = described.versions[version].published;
      versions[version] = this.#released(name, version, base);
    }
    Object.assign(time, described.unpublished);
    const times = Object.values(time).sort();
    return {
      _id: name,
      name,
      description: described.every?.description,
      'dist-tags': { latest: stable.at(-1) ?? all.at(-1), ...described.tags },
      versions,
      time: { created: times[0], modified: times.at(-1), ...time },
      license: 'MIT',
    };
  }

  #released(name, version, base) {
    const manifest = this.manifest(name, version);
    const { deprecated, shrinkwrapped } = this.#packages.get(name).versions[version];
    const { integrity, shasum, fileCount, unpackedSize } = this.tarball(name, version);
    const tarball = base + tarballPath(name, version);
    const { preinstall, install, postinstall } = manifest.scripts ?? {};
    return {
      ...manifest,
      _id: `${name}@${version}`,
      ...(deprecated && { deprecated }),
      ...((preinstall || install || postinstall) && { hasInstallScript: true }),
      ...(shrinkwrapped && { _hasShrinkwrap: true }),
      dist: { integrity, shasum, tarball, fileCount, unpackedSize },
    };
  }
}

const ABBREVIATED = ['name', 'version', 'dependencies', 'optionalDependencies', 'devDependencies',
  'peerDependencies', 'peerDependenciesMeta', 'bundleDependencies', 'bin', 'engines', 'os', 'cpu',
  'libc', 'dist', 'deprecated', 'hasInstallScript', '_hasShrinkwrap', 'funding'];

/// What installers ask for: no licence, no times.
export function abbreviated(packument) {
  const versions = {};
  for (const [version, released] of Object.entries(packument.versions)) {
    versions[version] = Object.fromEntries(
      Object.entries(released).filter(([field]) => ABBREVIATED.includes(field)));
  }
  const { name, time } = packument;
  return { name, 'dist-tags': packument['dist-tags'], versions, modified: time.modified };
}
