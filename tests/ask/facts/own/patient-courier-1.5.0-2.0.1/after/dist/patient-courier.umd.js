(function (root, factory) {
  if (typeof define === 'function' && define.amd) define(['exports'], factory);
  else if (typeof exports === 'object') factory(exports);
  else factory((root.patientCourier = {}));
})(typeof globalThis !== 'undefined' ? globalThis : this, function (exports) {
  'use strict';

  class ExhaustedError extends Error {
    constructor(cause, attemptsMade) {
      super('gave up: ' + cause.message);
      this.name = 'ExhaustedError';
      this.cause = cause;
      this.attemptsMade = attemptsMade;
    }
  }

  function delayBefore(attempt, options) {
    const base = options.baseDelay === undefined ? 100 : options.baseDelay;
    return options.steady ? base : base * Math.pow(2, attempt - 2);
  }

  async function persevere(task, options) {
    options = options || {};
    const attempts = options.attempts === undefined ? 3 : options.attempts;
    if (!(attempts >= 1)) throw new RangeError('attempts must be 1 or more');
    for (let attempt = 1; ; ++attempt) {
      try {
        return await task(attempt);
      } catch (error) {
        if (attempt >= attempts) throw new ExhaustedError(error, attempt);
        if (options.onFailure) options.onFailure({ error: error, attempt: attempt });
      }
      const delay = delayBefore(attempt + 1, options);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }

  exports.persevere = persevere;
  exports.ExhaustedError = ExhaustedError;
});
