import fetch, { RequestInit, Response } from 'node-fetch';

interface Rates {
  base: string;
  values: Record<string, number>;
}

const init: RequestInit = {
  method: 'GET',
  timeout: 2500,
  headers: { accept: 'application/json' },
};

export async function rates(base: string): Promise<Rates> {
  const response: Response = await fetch(`https://rates.example.org/latest/${base}`, init);
  const rates: Rates = await response.json();
  return rates;
}
