'use strict';

const courier = require('patient-courier');

function upload(store, parcel, log) {
  return courier
    .persist(() => store.put(parcel.name, parcel.bytes), {
      retries: 3,
      wait: 250,
      onRetry(error, count) {
        log(`${parcel.name}: try ${count} failed: ${error.message}`);
      },
    })
    .catch((error) => {
      if (error instanceof courier.GaveUp) {
        throw new Error(`${parcel.name} not stored after ${error.tries} tries`);
      }
      throw error;
    });
}

module.exports = upload;
