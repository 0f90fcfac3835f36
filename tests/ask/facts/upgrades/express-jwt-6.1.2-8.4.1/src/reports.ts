import { Request, Response, Router } from 'express';
import jwt from 'express-jwt';

interface Claims {
  sub: string;
  reports?: string[];
}

export function reports(secret: string): Router {
  const router = Router();

  router.use(jwt({ secret, algorithms: ['HS256'], resultProperty: 'locals.claims' }));

  router.get('/', (req: Request, res: Response) => {
    res.render('reports', { claims: res.locals.claims });
  });

  router.get(
    '/:name',
    jwt({ secret, algorithms: ['HS256'], audience: 'reports' }),
    (req: Request, res: Response) => {
      const { reports: allowed = [] } = req.user as Claims;
      if (!allowed.includes(req.params.name)) {
        res.sendStatus(403);
        return;
      }
      res.sendFile(`${req.params.name}.pdf`, { root: 'reports' });
    }
  );

  return router;
}
