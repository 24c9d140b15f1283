/** Makes receipts and cards for tests. */

import type {Receipt, RunState} from '../src/events.ts';
import {mergeRun} from '../src/receipts/merge.ts';
import type {RunCard} from '../src/receipts/merge.ts';
import type {Proposal, RunStatus} from '../src/view.ts';

const FINAL = ['done', 'failed', 'rejected', 'cancelled', 'expired'];

export function receiptOf(state: RunState, change: Partial<Receipt> = {}): Receipt {
  return {
    run_id: 'r',
    action: 'refund_order',
    title: 'Reembolsar el pedido 4821',
    input: [],
    target: {kind: 'order', ref: '4821'},
    amount: {minor: 7900, currency: 'EUR', exponent: 2},
    evidence: [],
    digest: '3f9a1c7e',
    digest_short: '3f9a1c7e',
    approval: 'owner',
    expires_at: '2026-09-12T10:15:00Z',
    state,
    word: state,
    final: FINAL.includes(state),
    certain: null,
    reason: null,
    message: null,
    reference: null,
    card: null,
    effect: null,
    created: '2026-09-12T10:00:00Z',
    confirmed_at: null,
    decided_at: null,
    finished_at: null,
    confirmation: state === 'requested' ? {token: 'token', expires_at: ''} : null,
    ...change,
  };
}

export function proposalOf(position = 1): Proposal {
  const {run_id, action, title, input, target, amount, evidence} = receiptOf('requested');
  const {digest_short, approval, expires_at} = receiptOf('requested');
  const card = {run_id, action, title, input, target, amount, evidence};
  return {...card, digest_short, approval, expires_at, position};
}

export function statusOf(status: RunState, position: number): RunStatus {
  const nothing = {word: null, certain: null, reason: null, message: null};
  return {...nothing, status, position, attempts: 0, reference: null, card: null, effect: null};
}

export function cardOf(state: RunState, change: Partial<Receipt> = {}): RunCard {
  return mergeRun(undefined, undefined, {receipt: receiptOf(state, change), asOf: 1})!;
}
