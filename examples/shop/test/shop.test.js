'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { confirm, invoices } = require('../lib/orders');
const { price, product } = require('../lib/pages');
const { answer } = require('../lib/requests');

test('a product is shown with its price and escaped', () => {
  assert.equal(product({ name: 'Tea', price: 350 }), '<li title="Tea">Tea: 3.50</li>');
  assert.match(product({ name: '<Tea>', price: 350, isNew: true }), /&lt;Tea&gt;.*class="badge">new</);
});

test('a price is cents, or not a number', () => {
  assert.equal(price('3.50'), 350);
  assert.ok(Number.isNaN(price('free')));
});

test('an order is confirmed with its date', () => {
  const mail = confirm('Customer', 17, new Date(0));
  assert.equal(mail.sent, '1970-01-01T00:00:00.000Z');
  assert.match(mail.body, /Order 17/);
  assert.deepEqual(invoices(['17.txt']), ['invoices/17.txt']);
});

test('a request finds its page, its filter and a session', () => {
  const { file, filter, session } = answer('/products/tea', 'colour=green&size.min=2');
  assert.equal(file, 'pages/products/tea');
  assert.equal(filter.colour, 'green');
  assert.equal(filter.size.min, '2');
  assert.ok(session);
});
