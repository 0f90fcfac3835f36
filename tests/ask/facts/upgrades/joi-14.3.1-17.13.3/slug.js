const BaseJoi = require('joi');

const Joi = BaseJoi.extend((joi) => ({
  name: 'slug',
  base: joi.string(),
  language: { format: 'must be a slug' },
  pre(value, state, options) {
    return /^[a-z0-9-]+$/.test(value) ? value : this.createError('slug.format', { v: value }, state, options);
  }
}));

const article = Joi.object({ slug: Joi.slug().required(), title: Joi.string() });

exports.save = (store) => (input) =>
  article.validate(input).then((value) => store.put(value.slug, value));
