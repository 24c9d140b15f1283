import {A2uiClientMessageSchema} from '@a2ui/web_core/v0_9';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';

import {Gate} from '../src/a2ui/gate.ts';
import type {Action} from '../src/a2ui/gate.ts';
import {Problem} from '../src/transport/http.ts';

const PAY = {key: 'pay /', name: 'pagar', sourceComponentId: 'pay', context: {plazo: 18}};
const DROP = {keepLast: false};
const KEEP = {keepLast: true};

function gate(answer: () => Promise<void>) {
  const sent: Action[] = [];
  let keys = 0;
  const send = (action: Action): Promise<void> => (sent.push(action), answer());
  return {gate: new Gate(send, () => `key${++keys}`), sent};
}

/** An answer that comes when the test says so. */
function waiting(): {answer: () => Promise<void>; resolve: () => void} {
  const resolvers: (() => void)[] = [];
  return {
    answer: () => new Promise((resolve) => resolvers.push(resolve)),
    resolve: () => resolvers.shift()?.(),
  };
}

beforeEach(() => void vi.useFakeTimers({now: Date.parse('2026-09-12T10:00:00Z')}));
afterEach(() => void vi.useRealTimers());

describe('Gate', () => {
  it('sends an action with a key and the time, and rests until it is answered', async () => {
    const {answer, resolve} = waiting();
    const {gate: kept, sent} = gate(answer);
    kept.submit('s1', PAY, DROP);
    kept.submit('s1', PAY, DROP);
    expect(kept.isBusy('s1', 'pay /')).toBe(true);
    expect(kept.isBusy('s1', 'other /')).toBe(false);
    resolve();
    await vi.runAllTimersAsync();
    expect(kept.isBusy('s1', 'pay /')).toBe(false);
    expect(sent).toEqual([
      {
        name: 'pagar',
        surfaceId: 's1',
        sourceComponentId: 'pay',
        context: {plazo: 18},
        timestamp: '2026-09-12T10:00:00.000Z',
        idempotencyKey: 'key1',
      },
    ]);
  });

  it('sends what the official client-to-server schema takes, but for the key', async () => {
    const {gate: kept, sent} = gate(() => Promise.resolve());
    kept.submit('s1', PAY, DROP);
    const {idempotencyKey, ...action} = sent[0]!;
    expect(A2uiClientMessageSchema.safeParse({version: 'v0.9', action}).success).toBe(true);
    expect(idempotencyKey.length).toBeLessThanOrEqual(128);
  });

  it('sends only the last of what a slider said meanwhile', async () => {
    const {answer, resolve} = waiting();
    const {gate: kept, sent} = gate(answer);
    for (const plazo of [12, 18, 24, 30]) kept.submit('s1', {...PAY, context: {plazo}}, KEEP);
    resolve();
    await vi.runAllTimersAsync();
    resolve();
    await vi.runAllTimersAsync();
    expect(sent.map(({context}) => context['plazo'])).toEqual([12, 30]);
    expect(new Set(sent.map(({idempotencyKey}) => idempotencyKey)).size).toBe(2);
  });

  it('drops a press while another action of its surface may change what it says', async () => {
    const {answer, resolve} = waiting();
    const {gate: kept, sent} = gate(answer);
    const slider = {...PAY, key: 'slider /', name: 'simular', sourceComponentId: 'slider'};
    kept.submit('s1', slider, KEEP);
    expect([kept.isUnsettled('s1'), kept.isUnsettled('s2')]).toEqual([true, false]);
    kept.submit('s1', PAY, DROP);
    kept.submit('s2', PAY, DROP);
    resolve();
    await vi.advanceTimersByTimeAsync(100);
    kept.submit('s1', PAY, DROP); // The answer is there, but nobody can have read it.
    expect(kept.isUnsettled('s1')).toBe(true);
    await vi.runAllTimersAsync();
    expect(kept.isUnsettled('s1')).toBe(false);
    kept.submit('s1', PAY, DROP);
    expect(sent.map(({name, surfaceId}) => `${name} ${surfaceId}`)).toEqual([
      'simular s1',
      'pagar s2',
      'pagar s1',
    ]);
  });

  it('repeats under the same key while nothing is known of its fate', async () => {
    const {gate: kept, sent} = gate(() => Promise.reject(new Problem('network')));
    kept.submit('s1', PAY, DROP);
    await vi.runAllTimersAsync();
    expect(kept.problem('s1')?.code).toBe('network');
    kept.submit('s1', PAY, DROP);
    await vi.runAllTimersAsync();
    expect(sent.length).toBe(6);
    expect(new Set(sent.map(({idempotencyKey}) => idempotencyKey))).toEqual(new Set(['key1']));
    kept.submit('s1', {...PAY, context: {plazo: 24}}, DROP);
    await vi.runAllTimersAsync();
    expect(sent.at(-1)?.idempotencyKey).toBe('key2');
  });

  it('takes a new key once the server answered, be it no', async () => {
    const {gate: kept, sent} = gate(() => Promise.reject(new Problem('expired', 409)));
    kept.submit('s1', PAY, DROP);
    await vi.runAllTimersAsync();
    kept.submit('s1', PAY, DROP);
    await vi.runAllTimersAsync();
    expect(sent.map(({idempotencyKey}) => idempotencyKey)).toEqual(['key1', 'key2']);
    expect(kept.problem('s1')?.code).toBe('expired');
  });

  it('lets an action be that the server is already at', async () => {
    const {gate: kept, sent} = gate(() => Promise.reject(new Problem('action_in_flight', 409)));
    kept.submit('s1', PAY, DROP);
    await vi.runAllTimersAsync();
    expect(sent.length).toBe(1);
    expect(kept.problem('s1')).toBeNull();
  });
});
