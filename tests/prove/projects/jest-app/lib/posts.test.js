const { address, file } = require('./posts');

describe('address', () => {
  test('is made of the title', () => expect(address('Hello, World')).toBe('/posts/hello-world'));
  test.each([['a b', 'a-b'], ['A&B', 'a-b']])('of %s', (title, end) => expect(address(title)).toBe('/posts/' + end));
});

test('a file has an ending', () => expect(file('Read me', 'md')).toBe('read-me.md'));
test.skip('umlauts', () => expect(address('Ü')).toBe('/posts/ue'));
