'use strict';

const path = require('path');
const { promisify } = require('util');
const glob = require('glob');

const find = promisify(glob);

// The order of the migrations is the order of their names.
function migrations(root) {
  return glob.sync('migrations/*.sql', { cwd: root });
}

// Names of the folders that are packages, each with its closing slash.
function packageFolders(root) {
  return glob.sync('packages/*/', { cwd: root }).map((folder) => folder.slice('packages/'.length, -1));
}

function styles(root, done) {
  glob('**/*.css', { cwd: root, ignore: 'node_modules/**', nodir: true }, (error, files) => {
    if (error) {
      done(error);
      return;
    }
    done(null, files.map((file) => path.join(root, file)));
  });
}

// An argument that matches nothing stays as it was given.
async function expand(args, root) {
  const lists = await Promise.all(
    args.map((arg) => (glob.hasMagic(arg) ? find(arg, { cwd: root, nonull: true }) : [arg]))
  );
  return lists.flat();
}

module.exports = { migrations, packageFolders, styles, expand };
