'use strict';

const fs = require('fs');
const fileType = require('file-type');

exports.kind = (buffer) => {
  const found = fileType(buffer.slice(0, fileType.minimumBytes));
  return found ? found.mime : null;
};

exports.knows = (extension) => fileType.extensions.includes(extension);
exports.mimes = () => fileType.mimeTypes.slice().sort();
exports.stream = async (path) => (await fileType.stream(fs.createReadStream(path))).fileType;
