import normalizeUrl = require('normalize-url');

const options: normalizeUrl.Options = {
  defaultProtocol: 'https:',
  forceHttps: true,
  stripWWW: false,
  removeDirectoryIndex: [/^index\.html?$/],
};

export class Frontier {
  private readonly seen = new Set<string>();

  push(found: string[]): string[] {
    return found.filter((address) => {
      const url = normalizeUrl(address, options);
      const fresh = !this.seen.has(url);
      this.seen.add(url);
      return fresh;
    });
  }
}
