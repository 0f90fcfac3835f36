import { JSONPath } from 'jsonpath-plus';

export const over = (json: object, limit: number): unknown[] =>
  JSONPath({ path: '$..[?(@.price > limit)]', json, sandbox: { limit } as never, preventEval: false });

export const each = (json: object, callback: (value: unknown) => void): void => {
  JSONPath({ path: '$..*', json, callback, autostart: true });
};
