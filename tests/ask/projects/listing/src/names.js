'use strict';

const xml2js = require('xml2js');

/// Names of elements below the root, each once.
function names(xml, done) {
  new xml2js.Parser({ explicitRoot: false }).parseString(xml, (error, root) => {
    if (error) return done(error);
    const all = ['offer', 'note'].filter((name) => root.hasOwnProperty(name));
    return done(null, all);
  });
}

module.exports = { names };
