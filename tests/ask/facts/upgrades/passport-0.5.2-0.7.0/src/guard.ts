import { NextFunction, Request, Response } from 'express';
import 'passport';

export interface Account {
  id: string;
  blocked: boolean;
}

export class Guard {
  constructor(private readonly isBlocked: (account: Account) => Promise<boolean>) {}

  handler() {
    return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
      if (req.isUnauthenticated()) {
        res.redirect('/login');
        return;
      }
      if (await this.isBlocked(req.user as Account)) {
        req.logOut();
        res.status(403).send('This account is blocked');
        return;
      }
      next();
    };
  }
}
