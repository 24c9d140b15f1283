/** Brings the cards on screen up to date without touching what somebody is typing. */

const RUN = 'article[data-run]';

/** The fragment that the server sent: its cards, its count, its words for it. */
export interface Fragment {
  cards: HTMLElement[];
  empty: HTMLElement | null;
  count: string;
  said: string;
}

export function read(html: string): Fragment | null {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const root = page.querySelector<HTMLElement>('.cards');
  if (!root) return null;
  return {
    cards: [...root.querySelectorAll<HTMLElement>(RUN)],
    empty: root.querySelector<HTMLElement>('[data-empty]'),
    count: root.dataset['count'] ?? '0',
    said: root.dataset['said'] ?? '',
  };
}

export function shownRuns(list: HTMLElement): string[] {
  return [...list.querySelectorAll<HTMLElement>(RUN)].map((card) => card.dataset['run'] ?? '');
}

/**
 * Keeps each card that has not changed (its open details and its half-written reason),
 * replaces each that has, adds new ones at the end and drops those that left the view.
 * Returns how many are new.
 */
export function merge(list: HTMLElement, fresh: Fragment): number {
  const cards = list.querySelector<HTMLElement>('.cards') ?? list;
  const old = new Map<string, HTMLElement>();
  for (const card of cards.querySelectorAll<HTMLElement>(RUN)) old.set(card.dataset['run'] ?? '', card);
  let added = 0;
  for (const card of fresh.cards) {
    const before = old.get(card.dataset['run'] ?? '');
    old.delete(card.dataset['run'] ?? '');
    if (!before) {
      card.classList.add('is-new');
      cards.append(card);
      added += 1;
    } else if (before.dataset['key'] !== card.dataset['key']) {
      replace(before, card);
    }
  }
  for (const gone of old.values()) gone.remove();
  cards.querySelector('[data-empty]')?.remove();
  if (fresh.empty) cards.append(fresh.empty);
  return added;
}

/** Puts a card in another's place; whoever was inside it stays there. */
export function replace(before: HTMLElement, card: HTMLElement): void {
  const wasInside = before.contains(document.activeElement);
  before.replaceWith(card);
  if (wasInside) card.focus();
}
