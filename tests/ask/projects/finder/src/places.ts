import { JSONPath } from 'jsonpath-plus';

/// Where a path leads, as pointers.
export function places(json: object, path: string): string[] {
  return JSONPath({ path, json, preventEval: true, resultType: 'pointer' });
}

export function isPlain(json: object, path: string): boolean {
  try {
    places(json, path);
    return true;
  } catch {
    return false;
  }
}
