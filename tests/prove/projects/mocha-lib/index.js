'use strict';

const { anchor, heading } = require('@proof/words');

exports.link = (text) => `<a href="${anchor(text)}">${heading(text)}</a>`;
