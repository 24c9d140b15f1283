/**
 * Folds durable events into a view: a pure function, so that replaying a history any
 * number of times gives the same view and no effect.
 */

import type {Card, Envelope, Json, RunState, Source, StatusCard} from './events.ts';
import {EMPTY_VIEW} from './view.ts';
import type {RunStatus, Turn, View} from './view.ts';

/**
 * Returns the view after `event`, or the same object where it adds nothing.
 *
 * An event already folded is dropped. One that skips positions is not applied: the view
 * says in `gap` from where to ask again, since applying it would hide what is missing.
 */
export function fold(view: View, event: Envelope): View {
  if (event.type === 'snapshot') return foldSnapshot(view, event);
  if (event.position <= view.cursor) return view;
  if (event.position > view.cursor + 1) return withGap(view, event.position);
  return healed({...apply(view, event), cursor: event.position});
}

/** Folds a whole history onto an empty view. */
export function foldAll(events: readonly Envelope[], from: View = EMPTY_VIEW): View {
  return events.reduce(fold, from);
}

/**
 * Applies facts that a lossy transport brought beyond the cursor, in their order.
 *
 * JSONL carries only some types of events and fewer of their fields, so its facts are
 * laid over the view and give way when the full events arrive.
 */
export function overlay(view: View, hints: readonly Envelope[]): View {
  return hints.filter((hint) => hint.position > view.cursor).reduce(apply, view);
}

function withGap(view: View, position: number): View {
  const seen = Math.max(position, view.gap?.seen ?? 0);
  return view.gap?.seen === seen ? view : {...view, gap: {after: view.cursor, seen}};
}

function healed(view: View): View {
  if (!view.gap) return view;
  const closed = view.cursor >= view.gap.seen;
  return {...view, gap: closed ? null : {after: view.cursor, seen: view.gap.seen}};
}

/** A snapshot stands for all events up to its position; an older one says nothing new. */
function foldSnapshot(view: View, event: Envelope): View {
  if (event.position <= view.cursor) return view;
  const snapshot = event.payload as unknown as Partial<View>;
  const gap = view.gap;
  return healed({...EMPTY_VIEW, ...snapshot, gap, cursor: event.position});
}

type Apply = (view: View, event: Envelope) => View;

const APPLY: Record<string, Apply> = {
  'message.received': (view, event) => addMessage(view, event, 'customer'),
  'message.completed': (view, event) => addMessage(view, event, 'agent'),
  'run.status': applyStatus,
  'agent.handoff': applyHandoff,
  'tool.started': startTool,
  'tool.completed': completeTool,
  'surface.updated': updateSurface,
  'proposal.created': addProposal,
  'choice.recorded': recordChoice,
};

/** Types that say nothing to a customer's view (or are newer than this code) pass. */
function apply(view: View, event: Envelope): View {
  return APPLY[event.type]?.(view, event) ?? view;
}

function addMessage(view: View, event: Envelope, author: 'customer' | 'agent'): View {
  const {payload} = event;
  const message = {
    id: text(payload['message_id']) ?? event.id,
    run_id: event.run_id,
    position: event.position,
    author,
    text: text(payload['text']) ?? '',
    attempt: author === 'agent' ? (number(payload['attempt']) ?? 1) : null,
    sources: (payload['sources'] ?? []) as unknown as Source[],
    created: event.created ?? null,
  };
  return {...view, messages: [...view.messages, message]};
}

function applyStatus(view: View, event: Envelope): View {
  const known = view.receipts[event.run_id];
  return known ? applyRunStatus(view, event, known) : applyTurnStatus(view, event);
}

/** A change's fields stand until an event says otherwise: absent is not "none". */
function applyRunStatus(view: View, event: Envelope, known: RunStatus): View {
  const {payload} = event;
  const next: RunStatus = {
    ...known,
    position: event.position,
    status: (text(payload['status']) ?? known.status) as RunState,
    attempts: number(payload['attempt']) ?? known.attempts,
    word: text(payload['word']) ?? null,
    certain: boolean(payload['certain']) ?? known.certain,
    reason: text(payload['reason']) ?? known.reason,
    message: text(payload['message']) ?? known.message,
    reference: text(payload['reference']) ?? known.reference,
    card: (payload['card'] as unknown as StatusCard | null | undefined) ?? known.card,
    effect: (text(payload['effect']) as RunStatus['effect']) ?? known.effect,
  };
  return {...view, receipts: {...view.receipts, [event.run_id]: next}};
}

function applyTurnStatus(view: View, event: Envelope): View {
  const status = text(event.payload['status']) ?? 'thinking';
  const turn: Turn = {
    position: event.position,
    status,
    agent: text(event.payload['agent']) ?? view.turns[event.run_id]?.agent ?? null,
    reason: text(event.payload['reason']) ?? null,
  };
  return {...view, status, turns: {...view.turns, [event.run_id]: turn}};
}

function applyHandoff(view: View, event: Envelope): View {
  const turn = view.turns[event.run_id];
  const to = text(event.payload['to']);
  if (!turn || !to) return view;
  return {...view, turns: {...view.turns, [event.run_id]: {...turn, agent: to}}};
}

function startTool(view: View, event: Envelope): View {
  const {payload} = event;
  const tool = {
    call_id: text(payload['call_id']) ?? event.id,
    run_id: event.run_id,
    position: event.position,
    name: text(payload['name']) ?? '',
    params: payload['params'] ?? {},
    operation_id: text(payload['operation_id']) ?? null,
    artifact_id: null,
    ok: null,
  };
  return {...view, tools: [...view.tools, tool]};
}

function completeTool(view: View, event: Envelope): View {
  const {call_id, operation_id, artifact_id, ok} = event.payload;
  const tools = view.tools.map((tool) =>
    tool.call_id === call_id
      ? {...tool, artifact_id: text(artifact_id) ?? null, ok: boolean(ok) ?? true}
      : tool,
  );
  return {...view, tools, last_operation: text(operation_id) ?? view.last_operation};
}

function updateSurface(view: View, event: Envelope): View {
  const message = event.payload['message'] as Record<string, Json> | undefined;
  const surfaceId = message && surfaceOf(message);
  if (!surfaceId) return view;
  const entry = {position: event.position, message};
  const known = view.surfaces.find((surface) => surface.surface_id === surfaceId);
  const next = known
    ? {...known, messages: [...known.messages, entry]}
    : {
        surface_id: surfaceId,
        run_id: event.run_id,
        position: event.position,
        messages: [entry],
      };
  const others = view.surfaces.filter((surface) => surface !== known);
  const surfaces = [...others, next].sort((a, b) => a.position - b.position);
  return {...view, surfaces};
}

/** The surface that an A2UI message speaks of. */
function surfaceOf(message: Record<string, Json>): string | undefined {
  for (const body of Object.values(message)) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) continue;
    const id = text(body['surfaceId']);
    if (id) return id;
  }
  return undefined;
}

function addProposal(view: View, event: Envelope): View {
  const card = event.payload as unknown as Card;
  const {run_id, position} = event;
  const status: RunStatus = {
    position,
    status: 'requested',
    attempts: 0,
    word: null,
    certain: null,
    reason: null,
    message: null,
    reference: null,
    card: null,
    effect: null,
  };
  return {
    ...view,
    proposals: {...view.proposals, [run_id]: {...card, run_id, position}},
    receipts: {...view.receipts, [run_id]: status},
  };
}

function recordChoice(view: View, event: Envelope): View {
  const {payload, position} = event;
  const choice = {
    position,
    surface_id: text(payload['surface_id']) ?? '',
    component_id: text(payload['component_id']) ?? '',
    name: text(payload['name']) ?? '',
    context: payload['context'] ?? {},
  };
  return {...view, choices: [...view.choices, choice]};
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function boolean(value: Json | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
