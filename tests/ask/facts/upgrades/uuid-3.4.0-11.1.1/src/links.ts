import uuidv4 from 'uuid/v4';
import uuidv5 from 'uuid/v5';

export interface Link {
  id: string;
  token: string;
  target: string;
}

export function linkFor(target: string): Link {
  return {
    id: uuidv5(target, uuidv5.URL),
    token: uuidv4().replace(/-/g, ''),
    target,
  };
}

// Repeatable tokens for the preview environment.
export function tokenFrom(seed: number[]): string {
  return uuidv4({ random: seed.slice(0, 16) });
}
