import { j2xParser } from 'fast-xml-parser';
import type { Rate } from './read.js';

const writer = new j2xParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
});

function row(rate: Rate): Record<string, string> {
  return { '@currency': rate.currency, '#': rate.value };
}

/// A sheet that read() reads.
export function write(rates: Rate[]): string {
  return writer.parse({ rates: { rate: rates.map(row) } });
}
