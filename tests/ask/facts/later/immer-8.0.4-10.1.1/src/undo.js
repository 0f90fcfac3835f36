'use strict';

const { default: produce, Immer, applyPatches, enableES5, produceWithPatches } = require('immer');

enableES5();
const own = new Immer({ useProxies: false, autoFreeze: false });

exports.change = (state, recipe) => produceWithPatches(state, recipe);
exports.undo = (state, inverse) => applyPatches(state, inverse);
exports.loose = (state, recipe) => own.produce(state, recipe);
exports.set = (state, key, value) => produce(state, (draft) => { draft[key] = value; });
