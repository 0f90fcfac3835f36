const kSpecial = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['þ', 'th'],
]);

export function foldAccents(text) {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[ßæøłþ]/g, (letter) => kSpecial.get(letter));
}
