'use strict';

const kSpecial = { ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', þ: 'th' };

module.exports = function fold(text) {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæøłþ]/g, (letter) => kSpecial[letter]);
};
