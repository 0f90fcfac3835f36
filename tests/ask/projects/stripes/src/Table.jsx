import nthCheck from 'nth-check';
import { h } from './h.js';

/// A table whose rows are striped by a formula, "2n+1".
export function Table({ formula, rows }) {
  const striped = nthCheck.compile(nthCheck.parse(formula));
  return (
    <table>
      {rows.map((row, index) => <tr class={striped(index) ? 'dark' : 'light'}><td>{row}</td></tr>)}
    </table>
  );
}
