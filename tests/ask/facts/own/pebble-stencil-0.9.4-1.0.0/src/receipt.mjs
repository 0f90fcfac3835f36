import stencil from 'pebble-stencil';

stencil.delimiters = ['[[', ']]'];

const row = stencil.compile('<tr><td>[[name]]</td><td>[[price]]</td></tr>');

export function receipt(order) {
  const rows = order.items.map((item) => row({ name: item.name, price: item.price.toFixed(2) }));
  return stencil('<h1>[[shop]]</h1><p>[[note]]</p>', { shop: order.shop }) + rows.join('');
}

export function title(order) {
  return `<title>${stencil.escape(order.shop)}</title>`;
}
