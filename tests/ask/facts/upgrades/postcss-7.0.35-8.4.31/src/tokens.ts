import postcss from 'postcss';

export interface Token {
  name: string;
  value: string;
}

export default postcss.plugin('tokens', (found: Token[] = []) => {
  const transformer: postcss.Transformer = (root: postcss.Root, result: postcss.Result) => {
    root.walkDecls((decl: postcss.Declaration) => {
      if (decl.prop.startsWith('--')) {
        found.push({ name: decl.prop, value: decl.value });
      } else if (postcss.vendor.prefix(decl.prop)) {
        result.warn(`${postcss.vendor.unprefixed(decl.prop)} needs no prefix`, { node: decl });
      }
    });
  };
  return transformer;
});
