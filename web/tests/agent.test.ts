import {describe, expect, it, vi} from 'vitest';

import {askAgent} from '../src/transport/agent.ts';
import {createHttp, Problem} from '../src/transport/http.ts';
import {streamOf} from './streams.ts';

const BODY = {sitio: 'tienda', mensajeId: 'm', mensaje: 'hola'};
const STATE =
  '{"tipo":"estado","valor":"pensando","id":"t:1","run_id":"t","seq":1,"position":1,"conversacion":"c"}\n';

function answering(body: ReadableStream<Uint8Array> | string, init: ResponseInit = {}) {
  const fetcher = vi.fn<typeof fetch>(async () => new Response(body, init));
  const http = createHttp('es', fetcher);
  const frame = vi.fn();
  return {fetcher, http, frame, ask: () => askAgent(http, BODY, {frame})};
}

describe('askAgent', () => {
  it('hands on the frames and resolves at the end', async () => {
    const {ask, frame, fetcher} = answering(streamOf(STATE, '{"tipo":"fin"}\n'));
    await ask();
    expect(frame).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({position: 1}), 'c');
    const [path, init] = fetcher.mock.calls[0] ?? [];
    expect([path, init?.method, init?.body]).toEqual([
      '/api/agente',
      'POST',
      JSON.stringify(BODY),
    ]);
  });

  it('rejects as cut where the end never came', async () => {
    const {ask, frame} = answering(streamOf(STATE));
    await expect(ask()).rejects.toMatchObject({code: 'cut', isPassing: true});
    expect(frame).toHaveBeenCalledOnce();
  });

  it('rejects with the error that a line told', async () => {
    const line = '{"tipo":"error","code":"expired","detail":"Tarde"}\n{"tipo":"fin"}\n';
    await expect(answering(streamOf(line)).ask()).rejects.toMatchObject({
      code: 'expired',
      isPassing: false,
    });
  });

  it('takes "goes on elsewhere" and "not now" as no verdict', async () => {
    for (const code of ['continues', 'unavailable']) {
      const line = `{"tipo":"error","code":"${code}","detail":""}\n{"tipo":"fin"}\n`;
      const problem = {code, isPassing: true};
      await expect(answering(streamOf(line)).ask()).rejects.toMatchObject(problem);
    }
  });

  it('rejects with the problem that the server answered', async () => {
    const body = JSON.stringify({code: 'missing_key', detail: 'Falta la clave'});
    const {ask} = answering(body, {status: 400});
    await expect(ask()).rejects.toMatchObject({code: 'missing_key', status: 400});
  });
});

describe('createHttp', () => {
  it('says network where nothing answers', async () => {
    const http = createHttp('es', () => Promise.reject(new TypeError('failed')));
    await expect(http.json('GET', '/x')).rejects.toMatchObject({code: 'network', status: 0});
  });

  it('carries a token in a header, and learns how far the clocks are apart', async () => {
    vi.useFakeTimers({now: Date.parse('2026-09-12T10:00:00Z')});
    const headers = {Date: 'Sat, 12 Sep 2026 10:05:00 GMT'};
    const fetcher = vi.fn<typeof fetch>(async () => new Response('{}', {headers}));
    const http = createHttp('es', fetcher);
    http.token = 'secret';
    await http.json('POST', '/x', {});
    expect(new Headers(fetcher.mock.calls[0]?.[1]?.headers).get('Authorization')).toBe(
      'Bearer secret',
    );
    expect(http.skew).toBe(301_000);
    vi.useRealTimers();
  });

  it('keeps the receipt of a refusal', async () => {
    const body = JSON.stringify({code: 'expired', receipt: {run_id: 'r'}});
    const http = createHttp('es', async () => new Response(body, {status: 409}));
    const problem: Problem = await http.json('POST', '/x', {}).then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect([problem.code, problem.receipt?.run_id]).toEqual(['expired', 'r']);
  });
});
