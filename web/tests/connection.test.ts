import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';

import {backoff} from '../src/transport/backoff.ts';
import type {ChannelHandlers, OpenChannel} from '../src/transport/channel.ts';
import {Connection} from '../src/transport/connection.ts';
import type {Liveness} from '../src/transport/connection.ts';
import {Problem} from '../src/transport/http.ts';

interface Opened {
  after: number;
  handlers: ChannelHandlers;
  isClosed: boolean;
}

/** A transport that does what the test says. */
function transport(): {open: OpenChannel; opened: Opened[]; last(): Opened} {
  const opened: Opened[] = [];
  return {
    opened,
    last: () => opened.at(-1)!,
    open(after, handlers) {
      const channel = {after, handlers, isClosed: false};
      opened.push(channel);
      return {close: () => (channel.isClosed = true)};
    },
  };
}

function connect(...transports: ReturnType<typeof transport>[]) {
  const said: Liveness[] = [];
  const refused: Problem[] = [];
  const state = {cursor: 0};
  const connection = new Connection(
    transports.map(({open}) => open),
    {
      cursor: () => state.cursor,
      frame: () => undefined,
      changed: (liveness) => said.push(liveness),
      refused: (problem) => refused.push(problem),
    },
  );
  connection.start();
  return {connection, said, refused, state};
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('backoff', () => {
  it('doubles up to a limit, and spreads', () => {
    const middle = (failures: number): number => backoff(failures, () => 0.5);
    expect([1, 2, 3, 4].map(middle)).toEqual([500, 1000, 2000, 4000]);
    expect(middle(30)).toBe(15_000);
    expect(backoff(1, () => 0)).toBe(350);
    expect(backoff(1, () => 1)).toBe(650);
  });
});

describe('Connection', () => {
  it('comes back from the cursor after a cut', () => {
    const socket = transport();
    const {said, state} = connect(socket);
    socket.last().handlers.opened();
    state.cursor = 3;
    socket.last().handlers.closed(null);
    expect(said).toEqual(['live', 'reconnecting']);
    vi.advanceTimersByTime(1000);
    expect(socket.last().after).toBe(3);
    socket.last().handlers.opened();
    expect(said.at(-1)).toBe('live');
  });

  it('takes the next transport where the first never opens, and stays with it', () => {
    const [socket, sse] = [transport(), transport()];
    const {said} = connect(socket, sse);
    socket.last().handlers.closed(null);
    sse.last().handlers.opened();
    expect(said).toEqual(['live']);
    sse.last().handlers.closed(null);
    vi.advanceTimersByTime(1000);
    expect([socket.opened.length, sse.opened.length]).toEqual([1, 2]);
    sse.last().handlers.opened();
    vi.advanceTimersByTime(5 * 60_000);
    sse.last().handlers.closed(null);
    vi.advanceTimersByTime(1000);
    expect(socket.opened.length).toBe(2);
  });

  it('waits longer each time that nothing opens, and tries all again', () => {
    const [socket, sse] = [transport(), transport()];
    const {said} = connect(socket, sse);
    for (let i = 1; i <= 5; i++) {
      socket.last().handlers.closed(null);
      sse.last().handlers.closed(null);
      expect(socket.opened.length).toBe(i);
      vi.advanceTimersByTime(20_000);
    }
    expect(said).toEqual(['reconnecting']);
  });

  it('asks again at once for what is missing, then more slowly', () => {
    const socket = transport();
    const {connection, state} = connect(socket);
    socket.last().handlers.opened();
    state.cursor = 3;
    connection.askAgain();
    expect(socket.opened[0]?.isClosed).toBe(true);
    vi.advanceTimersByTime(0);
    expect(socket.last().after).toBe(3);
    connection.askAgain();
    vi.advanceTimersByTime(0);
    expect(socket.opened.length).toBe(2);
    vi.advanceTimersByTime(2000);
    expect(socket.opened.length).toBe(3);
  });

  it('stops where the server refuses', () => {
    const socket = transport();
    const {refused} = connect(socket);
    socket.last().handlers.closed(new Problem('not_found', 404));
    vi.advanceTimersByTime(60_000);
    expect(refused.map(({code}) => code)).toEqual(['not_found']);
    expect(socket.opened.length).toBe(1);
  });

  it('hurries when the network is back, but leaves a live line alone', () => {
    const socket = transport();
    const {connection} = connect(socket);
    socket.last().handlers.opened();
    connection.hurry();
    expect(socket.opened.length).toBe(1);
    socket.last().handlers.closed(null);
    connection.hurry();
    expect(socket.opened.length).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect(socket.opened.length).toBe(2);
  });

  it('says nothing more once stopped', () => {
    const socket = transport();
    const {connection} = connect(socket);
    socket.last().handlers.opened();
    connection.stop();
    connection.askAgain();
    connection.hurry();
    vi.advanceTimersByTime(60_000);
    expect(socket.opened.length).toBe(1);
    expect(socket.last().isClosed).toBe(true);
  });
});
