/**
 * The facts and the provisional frames of a conversation, as the wire carries them.
 *
 * A durable fact (`Envelope`) has a dense `position` in its conversation. A provisional
 * frame has none: it may be lost, repeated or replaced without anything being wrong.
 */

export type Json = string | number | boolean | null | Json[] | {[key: string]: Json};

export interface Envelope {
  id: string;
  run_id: string;
  seq: number;
  position: number;
  type: string;
  payload: Record<string, Json>;
  created?: string;
}

/** A piece of a draft. `offset` counts Unicode code points, not UTF-16 units. */
export interface Delta {
  type: 'delta';
  run_id: string;
  attempt: number;
  offset: number;
  text: string;
}

/** The model is writing a tool call that nobody has accepted yet. */
export interface Preparing {
  type: 'preparing';
  run_id: string;
  attempt: number;
  name: string;
}

export type Provisional = Delta | Preparing;
export type Frame = Envelope | Provisional;

export interface Source {
  reference: string;
  title?: string;
  section?: string;
  quote?: string;
}

export interface Amount {
  minor: number;
  currency: string;
  exponent: number;
}

export interface Evidence {
  kind: string;
  source: string;
  reference: string;
  title?: string;
  quote?: string;
}

export interface CardInput {
  name: string;
  label: string;
  value: Json;
  /** The value with invisible characters written out. */
  shown: string;
}

export interface StatusCard {
  title: string;
  fields: {label: string; value: string}[];
  status?: {label: string; tone: 'neutral' | 'success' | 'warning' | 'danger'};
  reference?: string;
  asOf?: string;
  link?: {label: string; url: string};
}

/** What a customer is asked to confirm: the content of `proposal.created`. */
export interface Card {
  run_id: string;
  action: string;
  title: string;
  input: CardInput[];
  target: {kind: string; ref: string} | null;
  amount: Amount | null;
  evidence: Evidence[];
  digest_short: string;
  approval: 'owner' | 'none';
  expires_at: string;
  /** Where it was offered: in the chat, or by a button of a surface (`a2ui`). */
  surface?: string;
}

export type RunState =
  | 'requested'
  | 'awaiting_owner'
  | 'queued'
  | 'running'
  | 'pending'
  | 'unknown'
  | 'done'
  | 'failed'
  | 'rejected'
  | 'cancelled'
  | 'expired';

/** What the receipts endpoint says of a run. */
export interface Receipt extends Card {
  state: RunState;
  word: string;
  final: boolean;
  /** In a rehearsal nothing leaves, and no button does anything. */
  rehearsal?: boolean;
  certain: boolean | null;
  reason: string | null;
  message: string | null;
  reference: string | null;
  card: StatusCard | null;
  effect: 'claimed' | 'verified' | null;
  digest: string;
  created: string;
  confirmed_at: string | null;
  decided_at: string | null;
  finished_at: string | null;
  confirmation: {token: string; expires_at: string} | null;
}

/** Tells a durable fact from a provisional frame. */
export function isEnvelope(frame: unknown): frame is Envelope {
  if (typeof frame !== 'object' || frame === null) return false;
  const {type, position, payload} = frame as Partial<Envelope>;
  return (
    typeof type === 'string' &&
    Number.isInteger(position) &&
    typeof payload === 'object' &&
    payload !== null
  );
}

/** Tells a piece of a draft, or of a tool call being written. */
export function isProvisional(frame: unknown): frame is Provisional {
  if (typeof frame !== 'object' || frame === null) return false;
  const {type, run_id} = frame as Partial<Provisional>;
  return (type === 'delta' || type === 'preparing') && typeof run_id === 'string';
}
