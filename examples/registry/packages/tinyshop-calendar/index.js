'use strict';
const STYLES = ['toISOString', 'toUTCString'];
exports.show = (date, style) => date[STYLES.includes(style) ? style : 'toISOString']();
