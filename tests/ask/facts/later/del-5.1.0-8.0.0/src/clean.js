'use strict';

const path = require('path');
const del = require('del');

exports.clean = (root) => del([path.join(root, 'build', '**'), '!' + path.join(root, 'build', '.keep')], { force: true });
exports.cleanNow = (root) => del.sync([`${root}/tmp/*`], { dryRun: false }).length;
