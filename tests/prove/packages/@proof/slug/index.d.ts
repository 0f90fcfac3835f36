declare function slug(text: string): string;
export = slug;
