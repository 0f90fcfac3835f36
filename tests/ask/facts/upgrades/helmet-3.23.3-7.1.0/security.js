const helmet = require('helmet');

const assets = 'https://assets.example.com';

module.exports = function security(app) {
  app.use(
    helmet({
      // pages still load scripts and pictures from everywhere
      frameguard: { action: 'allow-from', domain: 'https://portal.example.com' },
      hidePoweredBy: { setTo: 'PHP 4.2.0' },
      hsts: { maxAge: 31536000, includeSubDomains: true, setIf: (req) => req.secure },
      featurePolicy: { features: { camera: ["'none'"], geolocation: ["'self'"] } },
      referrerPolicy: { policy: 'same-origin' }
    })
  );

  app.use('/account', helmet.noCache());

  app.use(
    '/checkout',
    helmet.contentSecurityPolicy({
      directives: {
        scriptSrc: ["'self'", assets],
        imgSrc: ["'self'", 'data:', assets],
        reportUri: '/csp-report'
      },
      reportOnly: (req) => req.query.dry === '1',
      browserSniff: false
    })
  );
};
