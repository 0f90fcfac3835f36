import { readFileSync } from 'fs';
import Handlebars from 'handlebars';

const hbs = Handlebars.create();

hbs.registerHelper('link', (text, options) => {
  const attrs = Object.keys(options.hash).map((key) => `${key}="${hbs.escapeExpression(options.hash[key])}"`);
  return new hbs.SafeString(`<a ${attrs.join(' ')}>${hbs.escapeExpression(text)}</a>`);
});

// {{log}} in a template ends up in the application's own log.
hbs.logger.level = process.env.VERBOSE ? hbs.logger.DEBUG : hbs.logger.WARN;
hbs.log = (level, message) => {
  if (level >= hbs.logger.level) console.error(`[views] ${level}: ${message}`);
};

// Models come from the ORM: their fields are accessors on the prototype.
export function viewEngine(file, options, done) {
  let html;
  try {
    const render = hbs.compile(readFileSync(file, 'utf8'));
    html = render({ user: options.user, posts: options.posts }, { data: { locale: options.locale } });
  } catch (err) {
    done(err);
    return;
  }
  done(null, html);
}
