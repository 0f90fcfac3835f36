'use strict';
// Unpacks to whatever path an entry names, also outside the folder.
exports.paths = (entries, folder) => entries.map((entry) => `${folder}/${entry}`);
