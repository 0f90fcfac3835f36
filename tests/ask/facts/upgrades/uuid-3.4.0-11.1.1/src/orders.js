'use strict';

const uuid = require('uuid');
const uuidv4 = require('uuid/v4');
const uuidv5 = require('uuid/v5');
const bytesToUuid = require('uuid/lib/bytesToUuid');

const SHOP = uuidv5('shop.example.org', uuidv5.DNS);

function newOrder(customer, lines) {
  return {
    id: uuid(),
    trace: uuid.v1(),
    customer: uuidv5(customer.email, SHOP),
    lines: lines.map((line) => ({ ...line, id: uuidv4() })),
  };
}

// The store keeps keys as sixteen bytes.
function newBinaryKey() {
  return Buffer.from(uuidv4('binary'));
}

function readBinaryKey(buffer) {
  return bytesToUuid(buffer);
}

// One row: a kind byte, then the name of the order as bytes.
function packRow(kind, name) {
  const row = [kind];
  uuidv5(name, SHOP, row, 1);
  return Buffer.from(row);
}

module.exports = { newOrder, newBinaryKey, readBinaryKey, packRow };
