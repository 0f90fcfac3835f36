import * as yaml from 'js-yaml';

export interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
}

export function parseAll(text: string): Manifest[] {
  const manifests: Manifest[] = [];
  yaml.safeLoadAll(text, (doc: any) => {
    if (doc) {
      manifests.push(doc as Manifest);
    }
  });
  return manifests;
}

export function nameOf(text: string): string {
  const manifest: any = yaml.safeLoad(text, { schema: yaml.JSON_SCHEMA });
  return manifest.metadata.name;
}

export function print(manifests: Manifest[]): string {
  return manifests
    .map((manifest) => yaml.safeDump(manifest, { lineWidth: 120, noRefs: true, skipInvalid: true }))
    .join('---\n');
}
