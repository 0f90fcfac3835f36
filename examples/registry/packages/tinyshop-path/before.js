'use strict';
exports.normal = (path) => path.replace('..', '');
