'use strict';
exports.normal = (path) => new URL(path, 'http://shop.example').pathname;
