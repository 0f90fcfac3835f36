'use strict';

const slug = require('@proof/slug');

exports.heading = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
exports.anchor = (text) => '#' + slug(text);
