import { matchRoute, buildUrl, RouteTable } from '@acme-tools/route';

const table = new RouteTable();
table.add('/orders/:id', 'order');
table.add('/customers/:customer/orders', 'orders-of-customer');

export function pageOf(path) {
  const found = matchRoute(table, path);
  if (!found) return { page: 'not-found', params: {} };
  return { page: found.name, params: found.params };
}

export function linkToOrder(order) {
  return buildUrl('/orders/:id', { id: order.id }, { from: 'list' });
}
