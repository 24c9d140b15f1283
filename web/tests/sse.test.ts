import {describe, expect, it, vi} from 'vitest';

import {linesOf} from '../src/lines.ts';
import {Problem} from '../src/transport/http.ts';
import type {Http} from '../src/transport/http.ts';
import {eventsOf, sseChannel} from '../src/transport/sse.ts';
import {byteByByte, gather, streamOf} from './streams.ts';

const EVENT = {id: 't:1', run_id: 't', seq: 1, position: 4, type: 'run.status', payload: {}};

function httpWith(stream: Http['stream']): Http {
  return {token: null, skew: 0, stream, json: vi.fn()};
}

function listen(http: Http): {frames: unknown[]; closed: Promise<Problem | null>; opened: () => number} {
  const frames: unknown[] = [];
  let count = 0;
  const closed = new Promise<Problem | null>((resolve) => {
    sseChannel('c', http)(3, {
      cursor: () => 0,
      opened: () => (count += 1),
      frame: (frame) => frames.push(frame),
      closed: resolve,
    });
  });
  return {frames, closed, opened: () => count};
}

describe('eventsOf', () => {
  it('parses fields, comments, several data lines and a stream without a last blank', async () => {
    const text = ': ping\n\nid: c:4\nevent: run.status\ndata: {"a":\ndata: 1}\n\ndata: x\n\ndata: cut';
    expect(await gather(eventsOf(linesOf(byteByByte(text))))).toEqual([
      {id: 'c:4', event: 'run.status', data: '{"a":\n1}'},
      {id: 'c:4', event: 'message', data: 'x'},
    ]);
  });
});

describe('sseChannel', () => {
  it('asks from the cursor, hands on frames, and says when it ends', async () => {
    const stream = vi.fn<Http['stream']>(async () =>
      streamOf(
        `id: c:4\nevent: run.status\ndata: ${JSON.stringify(EVENT)}\n\n: ping\n\n`,
        'event: delta\ndata: {"run_id":"t","attempt":1,"offset":0,"text":"Ho"}\n\n',
        'data: not json\n\n',
      ),
    );
    const heard = listen(httpWith(stream));
    expect(await heard.closed).toBeNull();
    expect(stream.mock.calls[0]?.[1]).toBe('/api/conversations/c/events?after=3');
    expect(heard.opened()).toBe(1);
    expect(heard.frames).toEqual([
      EVENT,
      {type: 'delta', run_id: 't', attempt: 1, offset: 0, text: 'Ho'},
    ]);
  });

  it('says why it was refused, without having opened', async () => {
    const heard = listen(httpWith(() => Promise.reject(new Problem('not_found', 404))));
    expect((await heard.closed)?.code).toBe('not_found');
    expect(heard.opened()).toBe(0);
  });
});
