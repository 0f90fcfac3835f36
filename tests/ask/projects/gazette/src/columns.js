"use strict";

const render = require("marked");

const PLAIN = { headerIds: false, mangle: false };

exports.column = function column(words) {
    const html = render(words, PLAIN);
    return `<section>${html}</section>`;
};

exports.headline = function headline(story) {
    return render.parseInline(story.head, PLAIN);
};
