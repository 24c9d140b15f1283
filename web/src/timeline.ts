/** Puts everything that a conversation shows into one order. */

import type {Outgoing} from './outbox.ts';
import type {Message, Surface, Turn, View} from './view.ts';

export type Item =
  | {kind: 'message'; key: string; position: number; message: Message}
  | {kind: 'surface'; key: string; position: number; surface: Surface}
  | {kind: 'run'; key: string; position: number; runId: string}
  | {kind: 'outgoing'; key: string; position: number; outgoing: Outgoing}
  | {kind: 'ended'; key: string; position: number; turn: Turn};

const ACTIVE = new Set(['thinking', 'using_tool', 'answering']);

/**
 * Returns the items in the order of their positions.
 *
 * A message on its way has no position yet and stands last. Keys are positions, so that an
 * item stays the same element when the full event replaces a hint. `isShown` tells which
 * proposals stand in the conversation.
 */
export function timelineOf(
  view: View,
  outgoing: readonly Outgoing[],
  isShown: (runId: string) => boolean,
): Item[] {
  const items: Item[] = [
    ...view.messages.map((message): Item => ({
      kind: 'message',
      key: `p${message.position}`,
      position: message.position,
      message,
    })),
    ...view.surfaces.map((surface): Item => ({
      kind: 'surface',
      key: `s${surface.surface_id}`,
      position: surface.position,
      surface,
    })),
    ...Object.values(view.proposals)
      .filter(({run_id}) => isShown(run_id))
      .map((proposal): Item => ({
        kind: 'run',
        key: `r${proposal.run_id}`,
        position: proposal.position,
        runId: proposal.run_id,
      })),
    ...Object.entries(view.turns).flatMap(([runId, turn]) => endedBadly(runId, turn)),
    ...outgoing.map((message): Item => ({
      kind: 'outgoing',
      key: `o${message.id}`,
      position: message.position ?? Infinity,
      outgoing: message,
    })),
  ];
  return items.sort((a, b) => order(a.position, b.position));
}

/** Returns the turns that the agent is still at, oldest first. */
export function activeTurns(view: View): [runId: string, turn: Turn][] {
  return Object.entries(view.turns)
    .filter(([, turn]) => ACTIVE.has(turn.status))
    .sort(([, a], [, b]) => a.position - b.position);
}

function endedBadly(runId: string, turn: Turn): Item[] {
  if (turn.status !== 'failed' && turn.status !== 'stopped') return [];
  return [{kind: 'ended', key: `t${runId}`, position: turn.position, turn}];
}

/** Infinity minus Infinity is no number. */
function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
