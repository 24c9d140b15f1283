/** Counts down what is left to decide. */

const SHORT_MINUTES = 30;
const TICK_MS = 10_000;

export function words(milliseconds: number): string {
  const seconds = Math.max(Math.floor(milliseconds / 1000), 0);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function tick(root: ParentNode, now = Date.now()): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-left]')) {
    const left = Date.parse(time.dateTime) - now;
    const text = words(left);
    if (time.textContent !== text) time.textContent = text;
    time.parentElement?.classList.toggle('is-short', left < SHORT_MINUTES * 60_000);
  }
}

export function countDown(root: ParentNode): void {
  tick(root);
  setInterval(() => tick(root), TICK_MS);
}
