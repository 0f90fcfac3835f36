import * as route from '@acme-tools/route';

const kEntries = [
  { title: 'Orders', pattern: '/customers/:customer/orders' },
  { title: 'Account', pattern: '/customers/:customer' },
];

export function menuOf(customer, tab) {
  return kEntries.map(({ title, pattern }) => ({
    title,
    href: route.buildUrl(pattern, { customer: customer.id }, { tab }),
  }));
}
