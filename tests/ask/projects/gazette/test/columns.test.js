"use strict";

const assert = require("node:assert");
const test = require("node:test");
const { column, headline } = require("../src/columns.js");

test("a column is a section of paragraphs", () => {
    assert.match(column("Rain, **again**."), /^<section><p>Rain, <strong>again<\/strong>\.<\/p>/);
});
test("a headline is no paragraph", () => {
    assert.strictEqual(headline({ head: "*Rain*" }), "<em>Rain</em>");
});
