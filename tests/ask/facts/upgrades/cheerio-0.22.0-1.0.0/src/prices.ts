import cheerio from 'cheerio';

export interface Price {
  label: string;
  amount: number;
}

function cells($: cheerio.Root, row: cheerio.Element): string[] {
  return $(row)
    .children('td')
    .toArray()
    .map((cell) => $(cell).text());
}

export function prices(html: string): Price[] {
  const $: cheerio.Root = cheerio.load(html);
  const rows: cheerio.Cheerio = $('table.prices tr');
  return rows.toArray().map((row) => {
    const [label, amount] = cells($, row);
    return { label, amount: parseFloat(amount) };
  });
}

export function outer($el: cheerio.Cheerio): string {
  return cheerio.html($el);
}
