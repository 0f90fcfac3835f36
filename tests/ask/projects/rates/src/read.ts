import { parse, validate } from 'fast-xml-parser';

export interface Rate {
  currency: string;
  value: string;
}

interface Sheet {
  rates?: { rate?: Rate | Rate[] };
}

/// The rates of a sheet, digit for digit.
export function read(xml: string): Rate[] {
  if (!isSheet(xml)) throw new Error('not a sheet of rates');
  const sheet: Sheet = parse(xml, {
    ignoreAttributes: false,
    attributeNamePrefix: '',
    textNodeName: 'value',
    parseNodeValue: false,
  });
  const rows = sheet.rates?.rate ?? [];
  return Array.isArray(rows) ? rows : [rows];
}

export function isSheet(xml: string): boolean {
  return validate(xml) === true;
}
