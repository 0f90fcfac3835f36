'use strict';

const { parseStringPromise } = require('xml2js');

/// The offers of a list; a price may be missing.
async function offers(xml) {
  const { list } = await parseStringPromise(xml, { explicitArray: false });
  return [list.offer].flat().map((offer) => ({
    name: offer.name,
    price: offer.hasOwnProperty('price') ? Number(offer.price) : null,
  }));
}

module.exports = { offers };
