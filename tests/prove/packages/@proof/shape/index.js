'use strict';

exports.area = (width, height) => width * height;
