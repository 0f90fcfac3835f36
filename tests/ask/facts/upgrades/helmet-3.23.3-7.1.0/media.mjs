import express from 'express';
import helmet from 'helmet';

// Pictures and fonts that partner sites embed.
export function media(root) {
  const app = express();
  app.use(helmet({ noCache: false, permittedCrossDomainPolicies: { permittedPolicies: 'none' } }));
  app.use(helmet.xssFilter({ setOnOldIE: true }));
  app.use(helmet.hsts({ maxAge: 86400, includeSubdomains: false }));
  app.use('/media', express.static(root, { maxAge: '7d' }));
  app.use((req, res) => {
    res.status(404).type('txt').send('no such file');
  });
  return app;
}
