/** Tells which proposals stand in the conversation, and which only behind a button. */

import type {RunState} from '../events.ts';
import type {Proposal} from '../view.ts';

const UNPRESSED = new Set<RunState>(['requested', 'cancelled', 'expired']);

/**
 * An offer behind a surface's button is shown by that button alone: each move of a slider
 * makes a new one. Once pressed it has a receipt, and that stands in the conversation.
 */
export function isBehindButton({surface}: Proposal, state: RunState): boolean {
  return surface === 'a2ui' && UNPRESSED.has(state);
}
