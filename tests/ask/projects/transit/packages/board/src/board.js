'use strict';

const { params } = require('routes');

/// What has to be asked for before a route can be shown.
exports.questions = (route) => params(route).filter((one) => !one.optional).map((one) => `${one.name}?`);
