/** Holds the receipts of a conversation: fetches, polls, confirms and cancels them. */

import type {Receipt} from '../events.ts';
import {asProblem} from '../transport/http.ts';
import type {Http, Problem} from '../transport/http.ts';
import type {View} from '../view.ts';
import {cancelRun, confirmRun, getReceipts} from './api.ts';
import {mergeRun} from './merge.ts';
import type {Fetched, RunCard} from './merge.ts';
import {isBehindButton} from './offers.ts';
import {Poll, POLL_LIMIT} from './poll.ts';

export interface DeskHost {
  view(): View;
  /** The newest position of which anything is known. */
  newest(): number;
  isLive(): boolean;
  changed(): void;
}

/** What the customer pressed and what came of it. */
export interface Press {
  verb: 'confirm' | 'cancel';
  problem: Problem | null;
}

/** When a request left: the newest known position then, and its place among requests. */
interface Ticket {
  asOf: number;
  order: number;
}

/** As many ids as fit well in one URL. */
const AT_ONCE = 50;

/** A burst of events about one run is answered by one request. */
const FETCH_DELAY = 80;

export class Desk {
  readonly #fetched = new Map<string, Fetched & Ticket>();
  readonly #presses = new Map<string, Press>();
  readonly #firstSeen = new Map<string, number>();
  readonly #poll: Poll;
  #wanted = new Set<string>();
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly http: Http,
    private readonly host: DeskHost,
  ) {
    this.#poll = new Poll({
      open: () => this.#open(),
      isLive: () => host.isLive(),
      ask: (runIds) => this.#fetch(runIds),
    });
  }

  start(): void {
    this.#poll.start();
  }

  /** Forgets all: they were somebody else's. */
  clear(): void {
    this.#fetched.clear();
    this.#presses.clear();
    this.#firstSeen.clear();
  }

  stop(): void {
    this.#poll.stop();
    clearTimeout(this.#timer);
  }

  /** What to show of a run, or `null` where nothing is known of it. */
  card(runId: string, view: View): RunCard | null {
    return mergeRun(view.proposals[runId], view.receipts[runId], this.#fetched.get(runId));
  }

  /** True where a run stands in the conversation, and not only behind a button. */
  isShown(runId: string, view: View): boolean {
    const proposal = view.proposals[runId];
    const card = this.card(runId, view);
    return !proposal || !card || !isBehindButton(proposal, card.state);
  }

  /** The press in flight or the last one that failed. */
  press(runId: string): Press | null {
    return this.#presses.get(runId) ?? null;
  }

  /** True where an open receipt is no longer asked for, after a day. */
  isLeftAlone(runId: string): boolean {
    const since = this.#firstSeen.get(runId);
    return since !== undefined && Date.now() - since > POLL_LIMIT;
  }

  /** An event spoke of this run: the endpoint knows the rest of what is shown. */
  noted(runId: string, view: View): void {
    if (!this.isShown(runId, view)) return;
    if (!this.#firstSeen.has(runId)) this.#firstSeen.set(runId, Date.now());
    this.#wanted.add(runId);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const runIds = [...this.#wanted];
      this.#wanted = new Set();
      void this.#fetch(runIds).catch(() => undefined);
    }, FETCH_DELAY);
  }

  /** The connection came or went. */
  refresh(): void {
    this.#poll.refresh();
  }

  /** Somebody looks at the page again. */
  lookNow(): void {
    void this.#poll.now();
  }

  confirm(runId: string): Promise<void> {
    return this.#press(runId, 'confirm', (card) => confirmRun(this.http, card));
  }

  cancel(runId: string): Promise<void> {
    return this.#press(runId, 'cancel', () => cancelRun(this.http, runId));
  }

  /** One press at a time for a run; a second one while it is on its way does nothing. */
  async #press(
    runId: string,
    verb: Press['verb'],
    send: (card: RunCard) => Promise<Receipt>,
  ): Promise<void> {
    const pressed = this.#presses.get(runId);
    const card = this.card(runId, this.host.view());
    if (!card || (pressed && !pressed.problem)) return;
    this.#setPress(runId, {verb, problem: null});
    const ticket = this.#ticket();
    try {
      this.#keep(await send(card), ticket);
      this.#presses.delete(runId);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.receipt) this.#keep(problem.receipt, ticket);
      else await this.#fetch([runId]).catch(() => undefined);
      this.#setPress(runId, {verb, problem});
    }
    this.host.changed();
  }

  #setPress(runId: string, press: Press): void {
    this.#presses.set(runId, press);
    this.host.changed();
  }

  #open(): string[] {
    const view = this.host.view();
    return Object.keys(view.proposals).filter((runId) => {
      const isOpen = this.card(runId, view)?.final === false;
      return isOpen && !this.isLeftAlone(runId);
    });
  }

  async #fetch(runIds: string[]): Promise<void> {
    for (let start = 0; start < runIds.length; start += AT_ONCE) {
      const ticket = this.#ticket();
      const receipts = await getReceipts(this.http, runIds.slice(start, start + AT_ONCE));
      for (const receipt of receipts) this.#keep(receipt, ticket);
    }
    this.host.changed();
  }

  #ticket(): Ticket {
    return {asOf: this.host.newest(), order: ++this.#asked};
  }

  /** An answer that a later request overtook is dropped; so is any after a final one. */
  #keep(receipt: Receipt, ticket: Ticket): void {
    const known = this.#fetched.get(receipt.run_id);
    if (known && (known.order > ticket.order || known.receipt.final)) return;
    this.#fetched.set(receipt.run_id, {receipt, ...ticket});
  }
}
