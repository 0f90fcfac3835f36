var _ = require('lodash');

function Report(orders, currency) {
  this.orders = orders;
  this.currency = currency;
}

Report.prototype.format = function (order) {
  return _.padLeft(order.id, 8, '0') + ' ' + order.total + ' ' + this.currency;
};

Report.prototype.lines = function () {
  return _.map(_.sortByOrder(this.orders, ['date', 'total'], ['desc', 'asc']), function (order) {
    return this.format(order);
  }, this);
};

Report.prototype.customers = function () {
  return _.uniq(_.pluck(this.orders, 'customer'), 'id');
};

Report.prototype.summary = function () {
  var byId = _.indexBy(this.orders, 'id');
  return {
    sum: _.sum(this.orders, 'total'),
    largest: _.max(this.orders, function (order) { return order.total; }),
    ids: Object.keys(byId),
    public: _.omit(this.orders[0], function (value, key) { return key[0] === '_'; })
  };
};

module.exports = Report;
