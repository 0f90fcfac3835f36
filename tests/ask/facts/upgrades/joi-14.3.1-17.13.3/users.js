const Joi = require('joi');

const address = {
  street: Joi.string().required(),
  zip: Joi.string().regex(/^\d{5}$/, 'zip').required()
};

const user = Joi.object().keys({
  name: Joi.string().min(2).required().options({ language: { any: { empty: 'is needed' } } }),
  age: Joi.number().integer().min(18).error((errors) => {
    errors.forEach((e) => {
      if (e.type === 'number.min') e.message = 'is not of age';
    });
    return errors;
  }),
  roles: Joi.array().items(Joi.string().only(['reader', 'writer'])),
  address: Joi.object(address)
});

const patch = user.optionalKeys('name', 'address.street', 'address.zip');

function create(input, done) {
  Joi.validate(input, user, { abortEarly: false, stripUnknown: true }, (err, value) => {
    if (err) return done(new Error(err.details.map((d) => d.message).join(', ')));
    done(null, value);
  });
}

function update(input) {
  const { error, value } = Joi.validate(input, patch);
  if (error !== null) throw error;
  return value;
}

function checkStreet(street) {
  return Joi.attempt(street, Joi.reach(user, 'address.street'));
}

module.exports = { create, update, checkStreet };
