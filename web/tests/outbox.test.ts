import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';

import {Outbox} from '../src/outbox.ts';
import type {Outgoing} from '../src/outbox.ts';
import {Problem} from '../src/transport/http.ts';
import {EMPTY_VIEW} from '../src/view.ts';
import type {View} from '../src/view.ts';

type Deliver = (message: Outgoing, accepted: (run: string, at: number) => void) => Promise<void>;

function box(deliver: Deliver, kept: {id: string; text: string}[] = []) {
  let shelved = kept;
  const sent: string[] = [];
  let ids = 0;
  const outbox = new Outbox(
    {
      deliver: (message, accepted) => {
        sent.push(message.id);
        return deliver(message, accepted);
      },
      changed: () => undefined,
    },
    {read: () => shelved, write: (messages) => (shelved = messages)},
    () => `m${++ids}`,
  );
  return {outbox, sent, shelf: () => shelved};
}

const never: Deliver = () => new Promise(() => undefined);
const fails = (problem: Problem): Deliver => () => Promise.reject(problem);

function viewWith(id: string, runId: string): View {
  const message = {id, run_id: runId, position: 1, author: 'customer' as const, text: 'hola'};
  const rest = {attempt: null, sources: [], created: null};
  return {...EMPTY_VIEW, messages: [{...message, ...rest}]};
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Outbox', () => {
  it('tries quietly three times under one id, then asks', async () => {
    const {outbox, sent} = box(fails(new Problem('network')));
    outbox.send('hola');
    await vi.advanceTimersByTimeAsync(500);
    expect(outbox.messages[0]?.state).toBe('sending');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual(['m1', 'm1', 'm1']);
    expect(outbox.messages[0]).toMatchObject({state: 'failed', problem: {code: 'network'}});
    outbox.retry('m1');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent.every((id) => id === 'm1')).toBe(true);
    expect(sent.length).toBe(6);
  });

  it('does not try again what the server refused', async () => {
    const {outbox, sent} = box(fails(new Problem('too_long', 422)));
    outbox.send('hola');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual(['m1']);
    expect(outbox.messages[0]?.state).toBe('failed');
  });

  it('counts a message as sent once accepted, though its stream breaks', async () => {
    const {outbox, sent} = box(async (_message, accepted) => {
      accepted('t', 2);
      throw new Problem('cut');
    });
    outbox.send('hola');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual(['m1']);
    expect(outbox.messages[0]).toMatchObject({state: 'sending', run_id: 't', position: 2});
  });

  it('lets go of a message that the conversation shows, by its id or by its turn', () => {
    const byId = box(never);
    byId.outbox.send('hola');
    byId.outbox.settle(viewWith('m1', 'other'));
    expect(byId.outbox.messages).toEqual([]);
    const byTurn = box((_message, accepted) => {
      accepted('t', 1);
      return new Promise(() => undefined);
    });
    byTurn.outbox.send('hola');
    byTurn.outbox.settle(viewWith('server-id', 'other'));
    expect(byTurn.outbox.messages.length).toBe(1);
    byTurn.outbox.settle(viewWith('server-id', 't'));
    expect(byTurn.outbox.messages).toEqual([]);
  });

  it('keeps what is not sent for a reload, as failed, under its id', async () => {
    const before = box(never);
    before.outbox.send('hola');
    const after = box(never, before.shelf());
    expect(after.outbox.messages[0]).toMatchObject({id: 'm1', text: 'hola', state: 'failed'});
    after.outbox.retryAll();
    expect(after.sent).toEqual(['m1']);
    after.outbox.discard('m1');
    expect(after.shelf()).toEqual([]);
  });
});
