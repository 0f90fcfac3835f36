'use strict';

const { IncomingForm } = require('formidable');

exports.small = () => new IncomingForm({ maxFileSize: 1024 * 1024, maxFields: 10 })
  .on('fileBegin', (name, file) => {
    file.path = `/var/uploads/${name}-${file.name}`;
  });
