/** Finds what was asked for in vain because nobody had signed in. */

import type {Message, View} from './view.ts';

/** The reason that such a turn ends with. */
const LACKED = 'sign_in_required';

export interface Lacking {
  runId: string;
  /** What the customer had said; `null` where they had pressed something. */
  message: Message | null;
}

/** Returns the last turn of all, if it is one that needs a signed-in customer. */
export function lackingSignIn(view: View): Lacking | null {
  const turns = Object.entries(view.turns);
  const last = turns.reduce<(typeof turns)[number] | null>(
    (newest, turn) => (newest && newest[1].position > turn[1].position ? newest : turn),
    null,
  );
  if (!last || last[1].status !== 'done' || last[1].reason !== LACKED) return null;
  const [runId] = last;
  const message = view.messages.find(
    ({author, run_id}) => author === 'customer' && run_id === runId,
  );
  return {runId, message: message ?? null};
}

/** The same for every tab: whichever comes first, the question is asked again once. */
export function resumeId({runId}: Lacking): string {
  return `signed-in-${runId}`;
}
