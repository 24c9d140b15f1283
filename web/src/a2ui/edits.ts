/**
 * Protects what somebody typed or chose from updates that know nothing of it.
 *
 * A write to a whole branch of the data (often all of it) keeps what people entered under
 * it. A write to exactly one field means that field, and wins, unless it is being typed.
 */

import type {DataModel} from '@a2ui/web_core/v0_9';

interface Edit {
  value: unknown;
  /** Not yet part of any action: the server cannot have meant to replace it. */
  fresh: boolean;
}

export class Edits {
  readonly #edits = new Map<string, Edit>();

  edited(path: string, value: unknown): void {
    this.#edits.set(path, {value, fresh: true});
  }

  /** An action took all values along. */
  acted(): void {
    for (const edit of this.#edits.values()) edit.fresh = false;
  }

  /** Applies a write of the server, then puts back what must not be lost. */
  around(data: DataModel, path: string, typing: string | null, write: () => void): void {
    write();
    for (const [edited, {value, fresh}] of this.#edits) {
      if (edited === path) {
        if (fresh && edited === typing) data.set(edited, value);
        else this.#edits.delete(edited);
      } else if (isUnder(edited, path)) put(data, edited, value);
    }
  }
}

function isUnder(path: string, branch: string): boolean {
  return branch === '/' || path.startsWith(`${branch}/`);
}

/** The branch may have become something that no longer has such a field. */
function put(data: DataModel, path: string, value: unknown): void {
  try {
    data.set(path, value);
  } catch {
    // Then there is nothing to keep.
  }
}
