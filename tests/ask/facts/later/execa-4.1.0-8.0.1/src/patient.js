'use strict';

const execa = require('execa');

exports.patient = (command, words, seconds) => {
  const child = execa(command, words, { encoding: null, reject: false });
  const timer = setTimeout(() => child.cancel(), seconds * 1000);
  return child.then((result) => {
    clearTimeout(timer);
    return result.isCanceled ? null : result.stdout;
  });
};
