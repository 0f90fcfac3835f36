'use strict';

const Hawk = require('hawk');

exports.sign = (url, credentials) => {
  const made = Hawk.client.header(url, 'GET', { credentials, ext: 'from us' });
  return { headers: { Authorization: made.field }, artifacts: made.artifacts };
};

exports.check = (response, credentials, artifacts, done) => {
  Hawk.client.authenticate(response, credentials, artifacts, { payload: response.body }, (error) => done(error));
};
