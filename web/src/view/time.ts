/** Writes moments and spans of time as the reader does. */

/** Returns the time of today, or date and time of another day. */
export function formatMoment(iso: string, locale: string, now = new Date()): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return iso;
  const sameDay = moment.toDateString() === now.toDateString();
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(sameDay ? {} : {day: 'numeric', month: 'short', year: 'numeric'}),
  }).format(moment);
}

/** Returns date and time: what is kept is read on another day. */
export function formatFully(iso: string, locale: string): string {
  return formatMoment(iso, locale, new Date(0));
}

/** Returns e.g. `14:05` for a span in milliseconds; never negative. */
export function formatCountdown(span: number): string {
  const seconds = Math.max(0, Math.ceil(span / 1000));
  const rest = String(seconds % 60).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${rest}`;
}
