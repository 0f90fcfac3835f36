'use strict';

const marked = require('marked');

marked.setOptions({ headerIds: false, mangle: false });

/// What is said of a day.
exports.day = (entry) => ({ date: entry.date, html: [entry.text].map((text) => marked(text)).join('') });
