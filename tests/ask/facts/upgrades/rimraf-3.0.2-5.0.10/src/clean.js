'use strict';

const path = require('path');
const { promisify } = require('util');
const rimraf = require('rimraf');

const remove = promisify(rimraf);

async function cleanBuild(root) {
  await remove(path.join(root, 'dist'));
  await remove(path.join(root, 'packages/*/lib'));
  await remove(path.join(root, 'cache/*.json'), { glob: { dot: true } });
}

// File names that people upload can have brackets in them.
function dropUpload(root, name, done) {
  rimraf(path.join(root, 'uploads', name), { disableGlob: true, maxBusyTries: 5, emfileWait: 500 }, (error) => {
    if (error) {
      done(new Error(`cannot drop ${name}: ${error.message}`));
      return;
    }
    done(null);
  });
}

function resetWorkspace(root) {
  rimraf.sync(path.join(root, 'tmp'), { disableGlob: true });
  rimraf.sync(path.join(root, '*.log'));
}

module.exports = { cleanBuild, dropUpload, resetWorkspace };
