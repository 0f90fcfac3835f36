/// An element as text.
export function h(tag, attributes, ...children) {
  if (typeof tag === 'function') return tag({ ...attributes, children });
  const words = Object.entries(attributes ?? {}).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${words.join('')}>${children.flat().join('')}</${tag}>`;
}
