'use strict';

const Handlebars = require('handlebars');

class Line {
  constructor(name, cents, count) {
    this.name = name;
    this.cents = cents;
    this.count = count;
  }
  get total() {
    return this.cents * this.count;
  }
  isDiscounted() {
    return this.count >= 10;
  }
}

Handlebars.registerHelper('money', function (cents) {
  return (cents / 100).toFixed(2);
});

const template = Handlebars.compile(
  [
    '<table data-owner="{{owner}}">',
    '{{#each lines}}',
    '<tr><td>{{name}}</td><td>{{money total}}',
    '{{#if isDiscounted}} ({{../../discountLabel}}){{/if}}',
    '{{#unless count}} {{../../emptyLabel}}{{/unless}}',
    ' {{../currency}}</td></tr>',
    '{{/each}}',
    '</table>',
    '<a href="/pay?{{query}}">pay</a>'
  ].join('\n')
);

function renderInvoice(invoice) {
  return template({
    owner: invoice.owner,
    query: 'invoice=' + invoice.id + '&lang=en',
    currency: invoice.currency,
    discountLabel: 'bulk price',
    emptyLabel: 'no pieces',
    lines: invoice.lines.map((l) => new Line(l.name, l.cents, l.count))
  });
}

module.exports = { Line, renderInvoice };
