'use strict';

exports.wrap = (text, mark) => mark + text + mark;
