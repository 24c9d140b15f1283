/** Talks HTTP with the site: JSON in and out, problems as errors with a stable code. */

import type {Receipt} from '../events.ts';

/** How long a plain request may take; streams have no such limit. In milliseconds. */
const REQUEST_LIMIT = 20_000;

/** The `Date` header drops the fraction: a countdown must never promise more time. */
const CLOCK_STEP = 1000;

/** What went wrong, by the server's stable `code`, or `network` where nothing answered. */
export class Problem extends Error {
  constructor(
    readonly code: string,
    readonly status = 0,
    readonly detail = '',
    readonly receipt: Receipt | null = null,
  ) {
    super(`${code} ${detail}`.trim());
  }

  /** True where the same request may succeed later, and nothing is known of its effect. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export type Fetch = typeof fetch;

export interface Http {
  /** Only an embedded chat has one; a page of the site itself uses its cookie. */
  token: string | null;
  /** Milliseconds that the server's clock is ahead of this one. */
  skew: number;
  json<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<T>;
  stream(
    method: 'GET' | 'POST',
    path: string,
    options: {body?: unknown; accept: string; signal?: AbortSignal},
  ): Promise<ReadableStream<Uint8Array>>;
}

/** `language` is what the server's words for people should be in. */
export function createHttp(
  language: string,
  fetcher: Fetch = (...args) => fetch(...args),
): Http {
  const http: Http = {
    token: null,
    skew: 0,
    async json(method, path, body) {
      const signal = AbortSignal.timeout(REQUEST_LIMIT);
      const response = await ask(method, path, {body, accept: 'application/json', signal});
      return response.status === 204 ? undefined : response.json().catch(unreadable);
    },
    async stream(method, path, options) {
      const response = await ask(method, path, options);
      if (!response.body) throw new Problem('network');
      return response.body;
    },
  };

  async function ask(
    method: string,
    path: string,
    {body, accept, signal}: {body?: unknown; accept: string; signal?: AbortSignal},
  ): Promise<Response> {
    const headers: Record<string, string> = {Accept: accept, 'Accept-Language': language};
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (http.token) headers['Authorization'] = `Bearer ${http.token}`;
    const init: RequestInit = {method, headers, credentials: 'same-origin', cache: 'no-store'};
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal) init.signal = signal;
    const response = await fetcher(path, init).catch((error: unknown) => {
      throw new Problem('network', 0, String(error));
    });
    noteClock(response);
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  function noteClock(response: Response): void {
    const date = Date.parse(response.headers.get('Date') ?? '');
    if (!Number.isNaN(date)) http.skew = date + CLOCK_STEP - Date.now();
  }

  return http;
}

async function problemOf(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const code = typeof body['code'] === 'string' ? body['code'] : `http_${response.status}`;
  const detail = typeof body['detail'] === 'string' ? body['detail'] : '';
  return new Problem(code, response.status, detail, (body['receipt'] as Receipt) ?? null);
}

function unreadable(): never {
  throw new Problem('network', 0, 'the answer was not JSON');
}

/** Returns any error as a problem, so that callers need only one kind. */
export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem('network', 0, String(error));
}
