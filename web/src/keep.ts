/** Keeps small things in the browser's storage, where there is one. */

/** Returns what was kept for this tab under a key, or `otherwise`. */
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

/** Returns what was kept for all tabs of this page and this site, or `null`. */
export function recallHere(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // A browser that lets frames keep nothing: the tab's memory must do.
  }
}

export function keepHere(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The next page opens a session of its own.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // There was nothing to forget.
  }
}
