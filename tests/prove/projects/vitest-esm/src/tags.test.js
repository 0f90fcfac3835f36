import { describe, expect, it } from 'vitest';
import { tags } from './tags.js';

describe('tags', () => {
  it('are separated by commas', () => expect(tags('a, b')).toEqual(['a', 'b']));
  it('are written small', () => expect(tags('Big Tag')).toEqual(['big-tag']));
});
