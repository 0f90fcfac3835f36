'use strict';
const dates = require('dates');
const mailer = require('tinyshop-mailer');
const zip = require('tinyshop-zip');

exports.confirm = (customer, number, date) => ({
  sent: dates.show(date, 'toISOString'),
  body: mailer.confirmation(customer, number),
});

exports.invoices = (names) => zip.paths(names, 'invoices');
