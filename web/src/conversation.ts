/** One conversation as the page lives it: what is known, what is sent, what is live. */

import {Catchup} from './catchup.ts';
import type {Drafts} from './drafts.ts';
import {isEnvelope} from './events.ts';
import type {Frame} from './events.ts';
import {keep, recall} from './keep.ts';
import {Memory} from './memory.ts';
import {Outbox} from './outbox.ts';
import type {Outgoing} from './outbox.ts';
import {Desk} from './receipts/desk.ts';
import {askAgent, CONTINUES} from './transport/agent.ts';
import type {ActionBody, AgentHandlers, MessageBody} from './transport/agent.ts';
import {backoff} from './transport/backoff.ts';
import {Connection} from './transport/connection.ts';
import {asProblem} from './transport/http.ts';
import type {Http, Problem} from './transport/http.ts';
import {Sessions} from './transport/session.ts';
import type {Session} from './transport/session.ts';
import {socketChannel} from './transport/socket.ts';
import {sseChannel} from './transport/sse.ts';
import type {View} from './view.ts';

/** `idle`: there is nothing to follow yet. `polling`: news come, a little late. */
export type Link = 'idle' | 'connecting' | 'live' | 'reconnecting' | 'polling';

/** A line that is back this soon was never worth a word. In milliseconds. */
const HICCUP = 1_500;
/** An action's answer takes no longer than this; what comes later comes as events. */
const ACTION_LIMIT = 120_000;

export class Conversation {
  session: Session | null = null;
  /** Why the session cannot be opened, if so. */
  problem: Problem | null = null;
  readonly desk: Desk;
  readonly outbox: Outbox;
  #id: string | null = null;
  readonly #memory = new Memory();
  #connection: Connection | null = null;
  #polled = false;
  #linkSince = 0;
  #refusals = 0;
  #stopped = false;
  readonly #sessions: Sessions;
  #opened!: () => void;
  /** What is sent waits until it is known as whom. */
  readonly #whenOpen = new Promise<void>((resolve) => (this.#opened = resolve));
  readonly #catchup: Catchup;

  constructor(
    private readonly http: Http,
    private readonly site: string,
    private readonly changed: () => void,
    isFramed = false,
  ) {
    this.#sessions = new Sessions(http, site, isFramed);
    this.desk = new Desk(http, {
      view: () => this.view,
      newest: () => this.#memory.last,
      isLive: () => this.link === 'live',
      changed,
    });
    const shelf = `maya:outbox:${site}`;
    this.outbox = new Outbox(
      {deliver: (message, accepted) => this.#deliver(message, accepted), changed},
      {read: () => recall(shelf, []), write: (messages) => keep(shelf, messages)},
    );
    this.#catchup = new Catchup({
      isNeeded: () => this.#id !== null && this.#connection?.liveness !== 'live',
      ask: () => this.#askWhatCameAfter(),
      answered: (ok) => {
        this.#polled = ok;
        changed();
      },
    });
  }

  get view(): View {
    return this.#memory.view;
  }

  get drafts(): Drafts {
    return this.#memory.drafts;
  }

  get link(): Link {
    if (!this.#connection) return 'idle';
    const {liveness} = this.#connection;
    return liveness === 'reconnecting' && this.#polled ? 'polling' : liveness;
  }

  /**
   * Opens the session, as the customer of a signed `identity` where there is one, and
   * follows the conversation that the visitor left.
   *
   * Tries until the session is open or refused; `failures` is how often it failed so far.
   */
  async start(identity: string | null = null, failures = 0): Promise<void> {
    if (failures) await pause(backoff(failures));
    if (this.#stopped) return;
    try {
      this.#enter(await this.#sessions.open(identity));
    } catch (error) {
      this.problem = asProblem(error);
      this.changed();
      if (this.problem.isPassing) await this.start(identity, failures + 1);
    }
  }

  /** Ends the session and the conversation, and goes on as a stranger. */
  async signOut(): Promise<void> {
    await this.#sessions.end().catch(() => undefined);
    await this.start();
  }

  #enter(session: Session): void {
    if (this.session && this.session.visitor !== session.visitor) this.#forget();
    this.session = session;
    this.problem = null;
    this.#opened();
    this.desk.start();
    const {conversation} = session;
    if (conversation && conversation !== this.#id) this.#follow(conversation);
    this.changed();
  }

  /** Nothing of somebody else stays in the page. */
  #forget(): void {
    this.#connection?.stop();
    this.#connection = null;
    this.#id = null;
    this.#memory.forget();
    this.outbox.clear();
    this.desk.clear();
  }

  /** Somebody looks at the page again, or the network came back. */
  hurry(): void {
    this.#connection?.hurry();
    this.desk.lookNow();
  }

  /** True where the line has been down for longer than a hiccup. */
  get isTroubled(): boolean {
    return this.link === 'reconnecting' && Date.now() - this.#linkSince >= HICCUP;
  }

  stop(): void {
    this.#stopped = true;
    this.#connection?.stop();
    this.#catchup.stop();
    this.desk.stop();
  }

  async stopTurn(runId: string): Promise<void> {
    await this.http.json('POST', `/api/turns/${encodeURIComponent(runId)}/stop`, {});
  }

  /** Sends a surface's action and reads its answer; rejects with a `Problem`. */
  act(action: ActionBody['action']): Promise<void> {
    const body: ActionBody = {
      sitio: this.site,
      conversacion: this.#id ?? '',
      version: 'v0.9',
      action,
    };
    const handlers = {frame: (frame: Frame): void => this.#hint(frame)};
    return this.#ask(body, handlers, AbortSignal.timeout(ACTION_LIMIT));
  }

  /** An answer that grew too long goes on where something else does not bring the rest. */
  async #ask(
    body: ActionBody | MessageBody,
    handlers: AgentHandlers,
    signal?: AbortSignal,
  ): Promise<void> {
    try {
      await askAgent(this.http, body, handlers, signal);
    } catch (error) {
      if (asProblem(error).code !== CONTINUES) throw error;
      if (this.link !== 'live') await this.#askWhatCameAfter();
    }
  }

  async #deliver(
    message: Outgoing,
    accepted: (runId: string, position: number) => void,
  ): Promise<void> {
    await this.#whenOpen;
    const body = {
      sitio: this.site,
      ...(this.#id ? {conversacion: this.#id} : {}),
      mensajeId: message.id,
      mensaje: message.text,
    };
    let known = false;
    await this.#ask(body, {
      frame: (frame, conversation) => {
        if (!known && isEnvelope(frame)) {
          known = true;
          // Its own event came just before the first that this stream carries.
          accepted(frame.run_id, frame.position - 0.5);
          this.outbox.settle(this.view);
        }
        if (conversation && !this.#id) this.#follow(conversation);
        this.#hint(frame);
      },
    });
  }

  #follow(conversation: string): void {
    this.#connection?.stop();
    this.#id = conversation;
    const channels = [
      socketChannel(conversation, () => this.http.token),
      sseChannel(conversation, this.http),
    ];
    this.#connection = new Connection(channels, {
      cursor: () => this.#memory.cursor,
      frame: (frame) => this.#receive(frame),
      changed: () => this.#linkChanged(),
      refused: (problem) => this.#refused(problem),
    });
    this.#connection.start();
    this.changed();
  }

  #linkChanged(): void {
    this.#linkSince = Date.now();
    setTimeout(this.changed, HICCUP);
    if (this.#connection?.liveness === 'live') {
      this.#polled = false;
      this.#refusals = 0;
      this.outbox.retryAll(); // It may have arrived, and only its answer was lost.
    }
    this.#catchup.refresh();
    this.desk.refresh();
    this.changed();
  }

  /** A session that ran out is opened again; a conversation that is gone is let go. */
  #refused(problem: Problem): void {
    this.#connection = null;
    const gone = problem.status === 404 || problem.code === 'not_found';
    this.#id = null;
    this.#memory.forget();
    if (!gone) void this.start(null, ++this.#refusals);
    this.changed();
  }

  /** A frame of a transport that brings everything, in order. */
  #receive(frame: Frame): void {
    const found = this.#memory.receive(frame);
    if (found === 'missing') this.#connection?.askAgain();
    if (found === 'complete') this.#connection?.complete();
    this.#afterFrame(frame);
  }

  /** A frame of a transport that brings only some. */
  #hint(frame: Frame): void {
    if (this.#memory.hint(frame)) this.#afterFrame(frame);
  }

  #afterFrame(frame: Frame): void {
    if (isEnvelope(frame)) {
      const view = this.view;
      const runs = frame.type === 'snapshot' ? Object.keys(view.proposals) : [frame.run_id];
      for (const runId of runs) if (view.proposals[runId]) this.desk.noted(runId, view);
      this.outbox.settle(view);
    }
    this.changed();
  }

  #askWhatCameAfter(): Promise<void> {
    const despues = this.#memory.last;
    const body = {sitio: this.site, conversacion: this.#id ?? '', despues};
    return askAgent(this.http, body, {frame: (frame) => this.#hint(frame)});
  }
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}
