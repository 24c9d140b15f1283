// @vitest-environment happy-dom
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';

import {socketChannel} from '../src/transport/socket.ts';

class FakeSocket extends EventTarget {
  readyState = 0;
  sent: unknown[] = [];
  constructor(readonly url: string) {
    super();
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  hear(message: object): void {
    this.dispatchEvent(new MessageEvent('message', {data: JSON.stringify(message)}));
  }
}

const EVENT = {id: 't:1', run_id: 't', seq: 1, position: 4, type: 'run.status', payload: {}};

function connect(token: string | null = null) {
  let socket!: FakeSocket;
  const handlers = {opened: vi.fn(), frame: vi.fn(), closed: vi.fn(), cursor: () => 4};
  const create = (url: string): WebSocket =>
    (socket = new FakeSocket(url)) as unknown as WebSocket;
  const channel = socketChannel('c', () => token, create)(3, handlers);
  return {socket, handlers, channel};
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('socketChannel', () => {
  it('opens with its cursor, takes frames and acknowledges once for a burst', () => {
    const {socket, handlers} = connect();
    expect(socket.url).toMatch(/^ws:.*\/ws\/conversations\/c$/);
    socket.open();
    expect(socket.sent).toEqual([{type: 'open', after: 3}]);
    socket.hear({type: 'opened', position: 9});
    expect(handlers.opened).toHaveBeenCalledOnce();
    socket.hear(EVENT);
    socket.hear({type: 'delta', run_id: 't', attempt: 1, offset: 0, text: 'Ho'});
    socket.hear({type: 'ping'});
    expect(handlers.frame).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(500);
    expect(socket.sent.slice(1)).toEqual([{type: 'ack', position: 4}]);
  });

  it('gives a token in its first message and never in the address', () => {
    const {socket} = connect('secret');
    socket.open();
    expect(socket.sent).toEqual([{type: 'open', after: 3, token: 'secret'}]);
    expect(socket.url).not.toContain('secret');
  });

  it('says why the server closed', () => {
    const {socket, handlers} = connect();
    socket.open();
    socket.hear({type: 'error', code: 'not_found', detail: ''});
    socket.dispatchEvent(new CloseEvent('close', {code: 4404}));
    expect(handlers.closed.mock.calls[0]?.[0]).toMatchObject({code: 'not_found', status: 404});
  });

  it('gives up on a socket that never opens, and on one that falls silent', () => {
    const mute = connect();
    vi.advanceTimersByTime(6_000);
    expect(mute.handlers.closed).toHaveBeenCalledExactlyOnceWith(null);
    const silent = connect();
    silent.socket.open();
    silent.socket.hear({type: 'opened', position: 0});
    vi.advanceTimersByTime(59_000);
    silent.socket.hear({type: 'ping'});
    vi.advanceTimersByTime(59_000);
    expect(silent.handlers.closed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(silent.handlers.closed).toHaveBeenCalledOnce();
  });

  it('closes without a word when told to', () => {
    const {socket, handlers, channel} = connect();
    channel.close();
    socket.dispatchEvent(new Event('close'));
    socket.hear(EVENT);
    expect(handlers.closed).not.toHaveBeenCalled();
    expect(handlers.frame).not.toHaveBeenCalled();
    expect(socket.readyState).toBe(3);
  });
});
