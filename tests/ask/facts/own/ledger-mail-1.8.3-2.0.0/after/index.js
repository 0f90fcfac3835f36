'use strict';

const { parseMailbox } = require('./lib/mailbox');
const { composeLetter } = require('./lib/letter');
const { deliverLetter } = require('./lib/deliver');

module.exports = { parseMailbox, composeLetter, deliverLetter };
