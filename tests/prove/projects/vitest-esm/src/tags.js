import slug from '@proof/slug';

export const tags = (line) => line.split(',').map((tag) => slug(tag));
