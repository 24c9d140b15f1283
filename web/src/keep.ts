/** Keeps small things in the tab's storage, where there is one. */

/** Returns what was kept under a key, or `otherwise`. */
export function recall<T>(key: string, otherwise: T): T {
  try {
    const kept = sessionStorage.getItem(key);
    return kept === null ? otherwise : (JSON.parse(kept) as T);
  } catch {
    return otherwise; // Storage can be forbidden, full, or hold something else.
  }
}

/** Keeps a value for this tab; an empty one is forgotten. */
export function keep(key: string, value: string | unknown[]): void {
  try {
    if (value.length) sessionStorage.setItem(key, JSON.stringify(value));
    else sessionStorage.removeItem(key);
  } catch {
    // A draft that cannot be kept is no reason to disturb anybody.
  }
}
