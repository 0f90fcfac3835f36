import slug from '@proof/slug';

export interface Post {
  title: string;
  day: string;
}

export function address(post: Post): string {
  return `/${post.day}/${slug(post.title)}`;
}
