'use strict';
exports.read = (argv) => argv.reduce((out, word) => ({ ...out, [word.split('=')[0]]: eval(word.split('=')[1]) }), {});
