'use strict';

const fs = require('fs');
const path = require('path');
const mkdirp = require('mkdirp');

exports.write = (file, text, done) => {
  mkdirp(path.dirname(file), { mode: 0o750 }, (error, made) => {
    if (error) return done(error);
    fs.writeFile(file, text, (failed) => done(failed, made));
  });
};

exports.prepare = (folder) => {
  const made = mkdirp.sync(folder, 0o700);
  return made !== null;
};
