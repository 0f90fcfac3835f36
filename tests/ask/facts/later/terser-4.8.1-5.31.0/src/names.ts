import { minify, MinifyOptions, OutputOptions, TreeWalker } from 'terser';

const output: OutputOptions = { ascii_only: true };
const options: MinifyOptions = { parse: { bare_returns: true }, output: { ...output, ast: true } as any };

export function count(code: string): number {
  let functions = 0;
  const { ast } = minify(code, options);
  ast?.walk(new TreeWalker((node) => {
    functions += node.TYPE === 'Defun' ? 1 : 0;
    return false;
  }));
  return functions;
}
