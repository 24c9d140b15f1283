/** Joins what events and the receipts endpoint say of a run into what a card shows. */

import type {Card, Receipt, RunState} from '../events.ts';
import type {Proposal, RunStatus} from '../view.ts';

/** The states after which nothing more can happen. */
const FINAL = new Set<RunState>(['done', 'failed', 'rejected', 'cancelled', 'expired']);

/** A receipt and the position that the view had when it was asked for. */
export interface Fetched {
  receipt: Receipt;
  asOf: number;
}

/** What a card shows of a run: the proposal's content and the newest known state. */
export interface RunCard extends Card {
  state: RunState;
  word: string | null;
  final: boolean;
  certain: boolean | null;
  reason: string | null;
  message: string | null;
  reference: string | null;
  card: Receipt['card'];
  effect: Receipt['effect'];
  attempts: number;
  rehearsal: boolean;
  created: string | null;
  confirmed_at: string | null;
  decided_at: string | null;
  finished_at: string | null;
  confirmation: Receipt['confirmation'];
}

export function isFinal(state: RunState): boolean {
  return FINAL.has(state);
}

/**
 * Returns the card of a run, from its events, its fetched receipt, or both.
 *
 * The events win where they are newer than the receipt; but what is final stays, since
 * nothing leads out of it.
 */
export function mergeRun(
  proposal: Proposal | undefined,
  events: RunStatus | undefined,
  fetched: Fetched | undefined,
): RunCard | null {
  const card = fetched?.receipt ?? proposal;
  if (!card) return null;
  const newest = pickNewest(events, fetched);
  return {
    run_id: card.run_id,
    action: card.action,
    title: card.title,
    input: card.input,
    target: card.target,
    amount: card.amount,
    evidence: card.evidence,
    digest_short: card.digest_short,
    approval: card.approval,
    expires_at: card.expires_at,
    ...newest,
    final: isFinal(newest.state),
    attempts: events?.attempts ?? 0,
    rehearsal: fetched?.receipt.rehearsal ?? false,
    created: fetched?.receipt.created ?? null,
    confirmed_at: fetched?.receipt.confirmed_at ?? null,
    decided_at: fetched?.receipt.decided_at ?? null,
    finished_at: fetched?.receipt.finished_at ?? null,
    confirmation: fetched?.receipt.confirmation ?? null,
  };
}

type Newest = Pick<
  RunCard,
  'state' | 'word' | 'certain' | 'reason' | 'message' | 'reference' | 'card' | 'effect'
>;

function pickNewest(events: RunStatus | undefined, fetched: Fetched | undefined): Newest {
  const receipt = fetched?.receipt;
  const byEvents = events && {...events, state: events.status};
  if (!receipt) return outcome(byEvents ?? NOTHING_YET);
  if (!byEvents || isFinal(receipt.state)) return outcome(receipt);
  const eventsAreNewer = byEvents.position > (fetched?.asOf ?? 0);
  return outcome(eventsAreNewer || isFinal(byEvents.state) ? byEvents : receipt);
}

function outcome(from: Newest): Newest {
  const {state, word, certain, reason, message, reference, card, effect} = from;
  return {state, word, certain, reason, message, reference, card, effect};
}

const NOTHING_YET: Newest = {
  state: 'requested',
  word: null,
  certain: null,
  reason: null,
  message: null,
  reference: null,
  card: null,
  effect: null,
};
