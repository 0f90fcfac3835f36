'use strict';

const ledgerMail = require('ledger-mail');
const { readAddress } = require('ledger-mail');

const kOffice = 'Accounts <accounts@office.invalid>';

function mailStatement(customer, lines, carrier, done) {
  const letter = ledgerMail.makeLetter(
    customer.email,
    `Statement ${customer.number}`,
    lines.join('\n'),
    kOffice
  );
  ledgerMail.postLetter(letter, carrier, (error, receipt) => {
    if (error) {
      done(new Error(`not sent to ${readAddress(customer.email).host}: ${error.message}`));
      return;
    }
    done(null, { customer: customer.number, receipt: receipt.id });
  });
}

function isOurs(email) {
  return readAddress(email).host === readAddress(kOffice).host;
}

module.exports = { mailStatement, isOurs };
