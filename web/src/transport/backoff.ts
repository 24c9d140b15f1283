/** How long to wait before trying again. */

const FIRST = 500;
const LONGEST = 15_000;
/** So that the readers of a restarted server do not all come back in one instant. */
const JITTER = 0.3;

/** Returns milliseconds to wait after `failures` failures in a row (1 is the first). */
export function backoff(failures: number, random: () => number = Math.random): number {
  const base = Math.min(FIRST * 2 ** (failures - 1), LONGEST);
  return Math.round(base * (1 - JITTER + 2 * JITTER * random()));
}
