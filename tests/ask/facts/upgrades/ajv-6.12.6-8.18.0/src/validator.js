'use strict';

const Ajv = require('ajv');

const ajv = Ajv({
  allErrors: true,
  jsonPointers: true,
  nullable: true,
  unknownFormats: ['phone'],
});
ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-06.json'));

ajv.addKeyword('even', {
  type: 'number',
  errors: false,
  validate: (wanted, value) => (value % 2 === 0) === wanted,
});

ajv.addSchema({
  $id: 'signup.json',
  type: 'object',
  required: ['email', 'seats'],
  properties: {
    email: { type: 'string', format: 'email' },
    phone: { type: 'string', format: 'phone', nullable: true },
    born: { type: 'string', format: 'date' },
    seats: { type: 'integer', minimum: 2, even: true, label: 'Seats' },
  },
});

function checkSignup(body) {
  if (ajv.validate('signup.json', body)) {
    return null;
  }
  return ajv.errors.map((error) => ({
    field: error.dataPath.replace(/^\//, ''),
    missing: error.keyword === 'required' ? error.params.missingProperty : undefined,
    message: error.message,
  }));
}

module.exports = { checkSignup };
