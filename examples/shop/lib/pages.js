'use strict';
const { badge } = require('tinyshop-badge');
const { fill } = require('@tinyshop/template');
const money = require('tinyshop-money');

/// One product as a line of a page.
exports.product = ({ name, price, isNew }) =>
  fill('<li title="{name}">{name}: {price}</li>', { name, price: money.format(price) }) +
  (isNew ? badge('new') : '');

/// What a price field of a form says, in cents; NaN if it is no price.
exports.price = (field) => money.parse(field);
