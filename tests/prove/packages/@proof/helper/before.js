'use strict';

module.exports = () => 'somebody';
