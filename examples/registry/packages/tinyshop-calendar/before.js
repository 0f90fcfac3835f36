'use strict';
// Whoever names the style names the method that is called.
exports.show = (date, style) => date[style]();
