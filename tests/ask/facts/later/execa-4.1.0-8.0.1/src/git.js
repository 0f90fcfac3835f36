'use strict';

const execa = require('execa');

exports.head = async (cwd) => (await execa('git', ['rev-parse', 'HEAD'], { cwd })).stdout;
exports.isClean = (cwd) => execa.sync('git', ['status', '--porcelain'], { cwd }).stdout === '';
exports.script = (name) => execa.command(`npm run ${name}`, { stdio: 'inherit' });
exports.worker = (file) => execa.node(file, ['--once']);
