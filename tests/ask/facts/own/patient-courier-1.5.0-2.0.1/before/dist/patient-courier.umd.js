(function (root, factory) {
  if (typeof define === 'function' && define.amd) define([], factory);
  else if (typeof module === 'object' && module.exports) module.exports = factory();
  else root.patientCourier = factory();
})(typeof self !== 'undefined' ? self : this, function () {
  'use strict';

  function GaveUp(cause, tries) {
    this.name = 'GaveUp';
    this.message = 'gave up: ' + cause.message;
    this.cause = cause;
    this.tries = tries;
  }
  GaveUp.prototype = Object.create(Error.prototype);
  GaveUp.prototype.constructor = GaveUp;

  function persist(task, options) {
    options = options || {};
    var retries = options.retries === undefined ? 2 : options.retries;
    var wait = options.wait || 0;
    var onRetry = options.onRetry || function () {};

    function go(count) {
      return Promise.resolve()
        .then(task)
        .catch(function (error) {
          if (count > retries) throw new GaveUp(error, count);
          onRetry(error, count);
          return new Promise(function (resolve) {
            setTimeout(resolve, wait);
          }).then(function () {
            return go(count + 1);
          });
        });
    }
    return go(1);
  }

  return { persist: persist, GaveUp: GaveUp };
});
