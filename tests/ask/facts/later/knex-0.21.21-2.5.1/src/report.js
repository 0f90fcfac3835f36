'use strict';

const Knex = require('knex');
const QueryBuilder = require('knex/lib/query/builder');

exports.isQuery = (value) => value instanceof QueryBuilder;
exports.now = () => Knex.raw('now()');
exports.open = (connection) => Knex({ client: 'mssql', connection });
exports.latest = async (db) => (await db.migrate.latest())[1].map((name) => name.split('/').pop());
