/**
 * Keeps what is provisional apart from the view: the text being written and the tool call
 * being prepared, one per turn. Losing all of it loses no fact.
 */

import type {Delta, Envelope, Provisional} from './events.ts';
import type {View} from './view.ts';

export interface Draft {
  attempt: number;
  text: string;
  /** The name of the tool whose call is being written, if any. */
  preparing: string | null;
}

export type Drafts = Record<string, Draft>;

const ENDED = new Set(['done', 'failed', 'stopped']);

/** Returns the drafts after a provisional frame, given what the view already settled. */
export function foldProvisional(drafts: Drafts, frame: Provisional, view: View): Drafts {
  if (isSettled(view, frame)) return drafts;
  const known = drafts[frame.run_id];
  if (known && frame.attempt < known.attempt) return drafts;
  const current = known?.attempt === frame.attempt ? known : fresh(frame.attempt);
  const next =
    frame.type === 'preparing'
      ? {...current, preparing: frame.name}
      : {...current, text: joined(current.text, frame)};
  return {...drafts, [frame.run_id]: next};
}

/** Returns the drafts after a durable fact: a completed answer or an ended turn drops one. */
export function settle(drafts: Drafts, event: Envelope): Drafts {
  const draft = drafts[event.run_id];
  if (!draft) return drafts;
  if (event.type === 'tool.started') {
    return {...drafts, [event.run_id]: {...draft, preparing: null}};
  }
  if (!ends(event)) return drafts;
  const {[event.run_id]: _, ...others} = drafts;
  return others;
}

function ends(event: Envelope): boolean {
  if (event.type === 'message.completed') return true;
  return event.type === 'run.status' && ENDED.has(String(event.payload['status']));
}

function fresh(attempt: number): Draft {
  return {attempt, text: '', preparing: null};
}

/** A frame that comes late, after its answer was completed or its turn ended, is dropped. */
function isSettled(view: View, frame: Provisional): boolean {
  if (ENDED.has(view.turns[frame.run_id]?.status ?? '')) return true;
  return view.messages.some(
    (message) =>
      message.run_id === frame.run_id && (message.attempt ?? 0) >= frame.attempt,
  );
}

/**
 * Puts a piece at its offset, in code points. A repeated piece changes nothing; one beyond
 * the end is dropped, because what lies between was lost (the final text will come whole).
 */
function joined(text: string, delta: Delta): string {
  const known = [...text];
  const piece = [...delta.text];
  if (delta.offset > known.length) return text;
  if (delta.offset + piece.length <= known.length) return text;
  return known.slice(0, delta.offset).join('') + delta.text;
}
