'use strict';

exports.around = (mark) => (text) => mark + text + mark;
