'use strict';

const formidable = require('formidable');
const { rename } = require('fs');

exports.upload = (folder) => (req, done) => {
  const form = new formidable.IncomingForm();
  form.uploadDir = folder;
  form.keepExtensions = true;
  form.hash = 'sha1';
  form.multiples = true;
  form.parse(req, (error, fields, files) => {
    if (error) return done(error);
    const { path, name, type, size, hash } = files.picture;
    return rename(path, `${folder}/${name}`, () => done(null, { title: fields.title, type, size, hash }));
  });
};
