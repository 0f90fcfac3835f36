'use strict';

const { heading } = require('@proof/words');
const { address } = require('@shop/posts');

exports.line = (title) => `<a href="${address(title)}">${heading(title)}</a>\n`;
