'use strict';

const tough = require('tough-cookie');

const jar = new tough.CookieJar(new tough.MemoryCookieStore(), { looseMode: true, rejectPublicSuffixes: false });

exports.remember = (response, url, done) => {
  const cookies = [].concat(response.headers['set-cookie'] || []).map((line) => tough.Cookie.parse(line, true));
  jar.setCookie(cookies[0], url, { ignoreError: true }, done);
};
exports.header = (url) => jar.getCookieStringSync(url);
exports.save = () => JSON.stringify(jar.serializeSync());
exports.load = (text) => tough.CookieJar.deserializeSync(JSON.parse(text));
exports.suffix = (domain) => tough.getPublicSuffix(domain);

class OwnStore extends tough.Store {
  findCookies(domain, path, done) {
    done(null, []);
  }
}
exports.OwnStore = OwnStore;
