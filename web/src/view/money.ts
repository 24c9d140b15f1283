/** Writes amounts of money as the reader does. */

import type {Amount} from '../events.ts';

/** Returns e.g. `79,00 €`; exact, since the decimal is built from digits and never divided. */
export function formatMoney({minor, currency, exponent}: Amount, locale: string): string {
  const decimal = decimalOf(minor, exponent);
  try {
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: exponent,
      maximumFractionDigits: exponent,
    });
    return format.format(decimal as `${number}`);
  } catch {
    return `${decimal} ${currency}`; // Not a currency that Intl accepts: say it plainly.
  }
}

function decimalOf(minor: number, exponent: number): string {
  const sign = minor < 0 ? '-' : '';
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  const split = digits.length - exponent;
  const fraction = digits.slice(split);
  return sign + digits.slice(0, split) + (fraction ? `.${fraction}` : '');
}
