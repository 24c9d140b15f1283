/** The inbox by keyboard: j and k walk, a goes to Approve, r to the reason. */

const CARD = 'article[data-run]';
const TYPING = 'input, textarea, select, [contenteditable]';

export function listen(list: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches(TYPING)) return;
    const target = wanted(list, event.key);
    if (!target) return;
    event.preventDefault();
    target.focus();
    target.scrollIntoView({ block: 'nearest' });
  });
}

function wanted(list: HTMLElement, key: string): HTMLElement | null {
  const cards = [...list.querySelectorAll<HTMLElement>(CARD)];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  if (key === 'j') return cards[Math.min(at + 1, cards.length - 1)] ?? null;
  if (key === 'k') return cards[Math.max(at - 1, 0)] ?? null;
  // Moving to the button is all a letter does: a decision takes Enter on it
  const card = cards[Math.max(at, 0)];
  if (key === 'a') return card?.querySelector<HTMLElement>('button.approve') ?? null;
  if (key === 'r') return card?.querySelector<HTMLElement>('textarea[name="reason"]') ?? null;
  return null;
}
