import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';

import type {Receipt} from '../src/events.ts';
import {Desk} from '../src/receipts/desk.ts';
import {mergeRun} from '../src/receipts/merge.ts';
import {Problem} from '../src/transport/http.ts';
import type {Http} from '../src/transport/http.ts';
import {EMPTY_VIEW} from '../src/view.ts';
import type {View} from '../src/view.ts';
import {proposalOf, receiptOf, statusOf} from './receipts.ts';

type Answer = (method: string, path: string, body?: unknown) => unknown;

function desk(answer: Answer, {live = false, cursor = 1, newest = 1} = {}) {
  const asked: string[] = [];
  const http = {
    token: null,
    skew: 0,
    stream: vi.fn(),
    json: async (method: string, path: string, body?: unknown) => {
      asked.push(`${method} ${path}`);
      return answer(method, path, body);
    },
  } as unknown as Http;
  const view: View = {
    ...EMPTY_VIEW,
    cursor,
    proposals: {r: proposalOf()},
    receipts: {r: statusOf('requested', newest)},
  };
  const host = {view: () => view, newest: () => newest, isLive: () => live, changed: vi.fn()};
  return {desk: new Desk(http, host), asked, view};
}

const list = (...receipts: Receipt[]): Answer => () => ({runs: receipts});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a chat that hears of events only here and there', () => {
  it('believes a receipt that is newer than what it heard', async () => {
    const {desk: kept, view} = desk(list(receiptOf('awaiting_owner')), {cursor: 0, newest: 9});
    expect(kept.card('r', view)?.state).toBe('requested');
    kept.start();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(kept.card('r', view)?.state).toBe('awaiting_owner');
  });
});

describe('polling', () => {
  it.each([
    [false, 5_000],
    [true, 30_000],
  ])('where live is %s, asks every %i ms, for all open runs at once', async (live, every) => {
    const {desk: kept, asked} = desk(list(receiptOf('awaiting_owner')), {live});
    kept.start();
    await vi.advanceTimersByTimeAsync(every - 1);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toEqual(['GET /api/runs?ids=r']);
    await vi.advanceTimersByTimeAsync(every);
    expect(asked.length).toBe(2);
  });

  it('asks no more once nothing is open', async () => {
    const {desk: kept, asked} = desk(list(receiptOf('done')));
    kept.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBe(1);
  });

  it('goes on after a failure, and leaves a run alone after a day', async () => {
    let fails = true;
    const {desk: kept, asked, view} = desk(() => {
      if (fails) throw new Problem('network');
      return {runs: [receiptOf('pending')]};
    });
    kept.noted('r', view);
    kept.start();
    await vi.advanceTimersByTimeAsync(10_000);
    fails = false;
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(24 * 3600_000);
    expect(asked.length).toBeGreaterThan(before);
    expect(kept.isLeftAlone('r')).toBe(true);
    const last = asked.length;
    await vi.advanceTimersByTimeAsync(3600_000);
    expect(asked.length).toBe(last);
  });

  it('answers a burst of events with one request', async () => {
    const {desk: kept, asked, view} = desk(list(receiptOf('running')));
    for (let i = 0; i < 5; i++) kept.noted('r', view);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['GET /api/runs?ids=r']);
  });
});

describe('confirming', () => {
  it('asks for a token, confirms once however often it is pressed, and keeps the answer', async () => {
    const bodies: unknown[] = [];
    const {desk: kept, asked, view} = desk((method, _path, body) => {
      if (method === 'GET') return receiptOf('requested');
      bodies.push(body);
      return receiptOf('awaiting_owner');
    });
    const pressed = [kept.confirm('r'), kept.confirm('r'), kept.cancel('r')];
    expect(kept.press('r')).toEqual({verb: 'confirm', problem: null});
    await Promise.all(pressed);
    expect(asked).toEqual(['GET /api/runs/r', 'POST /api/runs/r/confirm']);
    expect(bodies).toEqual([{token: 'token'}]);
    expect(kept.card('r', view)?.state).toBe('awaiting_owner');
    expect(kept.press('r')).toBeNull();
  });

  it('does not confirm what is not what was on the screen', async () => {
    const other = receiptOf('requested', {digest_short: 'ffffffff'});
    const {desk: kept, asked} = desk(() => other);
    await kept.confirm('r');
    expect(asked).toEqual(['GET /api/runs/r']);
    expect(kept.press('r')?.problem?.code).toBe('changed');
  });

  it('shows the receipt that came with a refusal', async () => {
    const {desk: kept, view} = desk((method) => {
      if (method === 'GET') return receiptOf('requested');
      throw new Problem('expired', 409, '', receiptOf('expired'));
    });
    await kept.confirm('r');
    expect(kept.card('r', view)?.state).toBe('expired');
    expect(kept.press('r')?.problem?.code).toBe('expired');
  });

  it('asks what became of a press that got no answer, and can be pressed again', async () => {
    const {desk: kept, asked, view} = desk((method, path) => {
      if (method === 'POST') throw new Problem('network');
      if (path.includes('?')) return {runs: [receiptOf('queued')]};
      return receiptOf('requested');
    });
    await kept.confirm('r');
    expect(asked.at(-1)).toBe('GET /api/runs?ids=r');
    expect(kept.card('r', view)?.state).toBe('queued');
    expect(kept.press('r')?.problem?.isPassing).toBe(true);
  });
});

describe('mergeRun', () => {
  const fetched = (state: Parameters<typeof receiptOf>[0], asOf: number) => ({
    receipt: receiptOf(state),
    asOf,
  });

  it('takes the newer of event and receipt', () => {
    const state = (event: [Parameters<typeof statusOf>[0], number], asOf: number) =>
      mergeRun(proposalOf(), statusOf(...event), fetched('awaiting_owner', asOf))?.state;
    expect(state(['requested', 1], 4)).toBe('awaiting_owner');
    expect(state(['running', 6], 4)).toBe('running');
  });

  it('never leaves a final state, from whichever side it came', () => {
    const late = mergeRun(proposalOf(), statusOf('running', 9), fetched('done', 4));
    expect(late).toMatchObject({state: 'done', final: true});
    const early = mergeRun(proposalOf(), statusOf('rejected', 2), fetched('awaiting_owner', 4));
    expect(early).toMatchObject({state: 'rejected', final: true});
  });

  it('makes do with the proposal alone, and with nothing', () => {
    const card = mergeRun(proposalOf(), undefined, undefined);
    expect(card).toMatchObject({state: 'requested', confirmation: null, title: 'Reembolsar el pedido 4821'});
    expect(mergeRun(undefined, undefined, undefined)).toBeNull();
  });
});
