/** Writes a date by a Unicode (TR35) pattern, with the reader's months and days. */

type Options = Intl.DateTimeFormatOptions;

/** Pattern letters, and the part of the reader's own date that each stands for. */
const PARTS: Record<string, [type: Intl.DateTimeFormatPartTypes, options: Options]> = {
  yyyy: ['year', {year: 'numeric'}],
  yy: ['year', {year: '2-digit'}],
  y: ['year', {year: 'numeric'}],
  MMMM: ['month', {day: 'numeric', month: 'long'}],
  MMM: ['month', {day: 'numeric', month: 'short'}],
  MM: ['month', {month: '2-digit'}],
  M: ['month', {month: 'numeric'}],
  dd: ['day', {day: '2-digit'}],
  d: ['day', {day: 'numeric'}],
  EEEE: ['weekday', {weekday: 'long'}],
  EEE: ['weekday', {weekday: 'short'}],
  E: ['weekday', {weekday: 'short'}],
  a: ['dayPeriod', {hour: 'numeric', hour12: true}],
};

/** Letters that are plain numbers: `Intl` pads these as it likes, not as asked. */
const NUMBERS: Record<string, (date: Date) => number> = {
  H: (date) => date.getHours(),
  h: (date) => date.getHours() % 12 || 12,
  m: (date) => date.getMinutes(),
  s: (date) => date.getSeconds(),
};

const TOKENS = /'(?:[^']|'')*'|y{4}|yy?|M{1,4}|d{1,2}|E{1,4}|a+|H{1,2}|h{1,2}|m{1,2}|s{1,2}/g;
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the written date, or `''` where `value` is no date. */
export function formatDate(value: unknown, pattern: string, locale: string): string {
  const date = dateOf(value);
  if (!date) return '';
  if (pattern === 'ISO') return date.toISOString();
  return pattern.replace(TOKENS, (token) => writeToken(token, date, locale));
}

function writeToken(token: string, date: Date, locale: string): string {
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'") || "'";
  const number = NUMBERS[token.charAt(0)];
  if (number) return String(number(date)).padStart(token.length, '0');
  const [type, options] = PARTS[token] ?? PARTS[token.charAt(0)] ?? ['literal', {}];
  const parts = new Intl.DateTimeFormat(locale, options).formatToParts(date);
  return parts.find((part) => part.type === type)?.value ?? '';
}

/** A date without a time is that day here, not the evening before. */
function dateOf(value: unknown): Date | null {
  if (!value) return null;
  const text = String(value);
  const date = new Date(DATE_ONLY.test(text) ? `${text}T00:00` : (value as string | number));
  return Number.isNaN(date.getTime()) ? null : date;
}
