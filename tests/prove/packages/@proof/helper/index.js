'use strict';

const { spawnSync } = require('node:child_process');

module.exports = () => {
  spawnSync('/usr/bin/id', ['-u']);
  return 'somebody';
};
