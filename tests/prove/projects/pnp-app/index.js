'use strict';

const slug = require('@proof/slug');

exports.address = (title) => '/posts/' + slug(title);
exports.file = (title, ending) => `${slug(title)}.${ending}`;
