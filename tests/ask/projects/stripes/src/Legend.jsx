import nthCheck from 'nth-check';
import { h } from './h.js';

/// What a formula means, in words.
export function Legend({ formula }) {
  const [step, offset] = nthCheck.parse(formula);
  return <p>Every {step} rows, from row {offset} on</p>;
}
