'use strict';

const box = require('@proof/box');
const lid = require('@proof/box/lid');

module.exports = (what) => lid(box(what));
