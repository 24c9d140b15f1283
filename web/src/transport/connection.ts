/**
 * Keeps one reader on a conversation: over a WebSocket, else over SSE, again and again
 * from the last position it has, until it is stopped or told that there is nothing to read.
 */

import type {Frame} from '../events.ts';
import {backoff} from './backoff.ts';
import type {Channel, OpenChannel} from './channel.ts';
import type {Problem} from './http.ts';

export type Liveness = 'connecting' | 'live' | 'reconnecting';

export interface ConnectionHandlers {
  cursor(): number;
  frame(frame: Frame): void;
  changed(liveness: Liveness): void;
  /** The server will not serve this reader: trying again is no use. */
  refused(problem: Problem): void;
}

/** How long a transport that never opened is left alone while another one works. */
const BLOCKED_FOR = 5 * 60_000;

/** No session, not this page, or nothing there that is theirs. */
const REFUSALS = new Set([401, 403, 404]);

export class Connection {
  liveness: Liveness = 'connecting';
  #channel: Channel | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #asked = 0;
  #stopped = false;
  readonly #blockedUntil: number[];

  /** `channels` are tried in their order; the first that opens is kept. */
  constructor(
    private readonly channels: readonly OpenChannel[],
    private readonly handlers: ConnectionHandlers,
  ) {
    this.#blockedUntil = channels.map(() => 0);
  }

  start(): void {
    this.#open(this.#firstFree());
  }

  stop(): void {
    this.#stopped = true;
    this.#drop();
  }

  /** Tries at once: the network came back, or somebody looks at the page again. */
  hurry(): void {
    if (this.#stopped || this.liveness === 'live') return;
    this.#drop();
    this.#failures = 0;
    this.#open(this.#firstFree());
  }

  /** Asks again from the cursor because positions are missing, more slowly each time. */
  askAgain(): void {
    if (this.#stopped) return;
    this.#drop();
    this.#asked += 1;
    this.#say('reconnecting');
    const wait = this.#asked === 1 ? 0 : backoff(this.#asked);
    this.#timer = setTimeout(() => this.#open(this.#firstFree()), wait);
  }

  /** Nothing is missing any more. */
  complete(): void {
    this.#asked = 0;
  }

  #open(index: number): void {
    let opened = false;
    const channel = this.channels[index];
    if (!channel) return;
    this.#channel = channel(this.handlers.cursor(), {
      cursor: () => this.handlers.cursor(),
      frame: (frame) => this.handlers.frame(frame),
      opened: () => {
        opened = true;
        this.#failures = 0;
        this.#blockedUntil[index] = 0;
        this.#say('live');
      },
      closed: (problem) => this.#closed(index, opened, problem),
    });
  }

  #closed(index: number, opened: boolean, problem: Problem | null): void {
    this.#channel = null;
    if (problem && REFUSALS.has(problem.status)) {
      this.stop();
      this.handlers.refused(problem);
      return;
    }
    this.#say(this.liveness === 'connecting' ? 'connecting' : 'reconnecting');
    const next = index + 1;
    if (!opened && next < this.channels.length) {
      this.#blockedUntil[index] = Date.now() + BLOCKED_FOR;
      this.#open(next);
      return;
    }
    if (!opened) this.#blockedUntil.fill(0);
    this.#failures += 1;
    const wait = backoff(this.#failures);
    this.#timer = setTimeout(() => this.#open(this.#firstFree()), wait);
    if (!opened) this.#say('reconnecting');
  }

  #firstFree(): number {
    const now = Date.now();
    return Math.max(0, this.#blockedUntil.findIndex((until) => until <= now));
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#channel?.close();
    this.#channel = null;
  }

  #say(liveness: Liveness): void {
    if (liveness === this.liveness) return;
    this.liveness = liveness;
    this.handlers.changed(liveness);
  }
}
