/** Holds the customer's messages until the conversation shows them. */

import {asProblem} from './transport/http.ts';
import type {Problem} from './transport/http.ts';
import type {View} from './view.ts';

export interface Outgoing {
  /** The same for every try, so that a repeated send is still one message. */
  id: string;
  text: string;
  state: 'sending' | 'failed';
  /** Known once the server accepted it: its turn, and the turn's first position. */
  run_id: string | null;
  position: number | null;
  problem: Problem | null;
}

export interface Outlet {
  /** Sends one message; calls `accepted` with its turn as soon as the server has it. */
  deliver(
    message: Outgoing,
    accepted: (runId: string, position: number) => void,
  ): Promise<void>;
  changed(): void;
}

/** What is kept for a reload of the page. */
export interface Shelf {
  read(): {id: string; text: string}[];
  write(messages: {id: string; text: string}[]): void;
}

/** Quiet tries after the first, in milliseconds; then the customer is asked. */
const RETRY_AFTER = [1_000, 3_000];

export class Outbox {
  #messages: readonly Outgoing[];

  constructor(
    private readonly outlet: Outlet,
    private readonly shelf: Shelf,
    private readonly newId: () => string = () => crypto.randomUUID(),
  ) {
    this.#messages = shelf.read().map((kept) => ({...waiting(kept), state: 'failed'}));
  }

  get messages(): readonly Outgoing[] {
    return this.#messages;
  }

  /** Sends a text; under the `id` of one that was sent before it is still one message. */
  send(text: string, id = this.newId()): void {
    const message = waiting({id, text});
    this.#set([...this.#messages, message]);
    void this.#deliver(message.id);
  }

  retry(id: string): void {
    const message = this.#find(id);
    if (message?.state !== 'failed') return;
    this.#change(id, {state: 'sending', problem: null});
    void this.#deliver(id);
  }

  /** Tries again what may work now; not what the server refused. */
  retryAll(): void {
    for (const {id, problem} of this.#messages) {
      if (!problem || problem.isPassing) this.retry(id);
    }
  }

  discard(id: string): void {
    this.#set(this.#messages.filter((message) => message.id !== id));
  }

  /** Forgets all: they were somebody else's. */
  clear(): void {
    this.#set([]);
  }

  /** Lets go of the messages that the conversation now shows. */
  settle(view: View): void {
    const left = this.#messages.filter((message) => !isShown(message, view));
    if (left.length !== this.#messages.length) this.#set(left);
  }

  async #deliver(id: string, tries = 0): Promise<void> {
    const message = this.#find(id);
    if (!message) return;
    try {
      await this.outlet.deliver(message, (runId, position) =>
        this.#change(id, {run_id: runId, position, state: 'sending'}),
      );
    } catch (error) {
      this.#failed(id, asProblem(error), tries);
    }
  }

  /** A stream that breaks after the message was accepted is no failure of the message. */
  #failed(id: string, problem: Problem, tries: number): void {
    if (this.#find(id)?.run_id) return;
    const wait = RETRY_AFTER[tries];
    if (problem.isPassing && wait !== undefined) {
      setTimeout(() => void this.#deliver(id, tries + 1), wait);
      return;
    }
    this.#change(id, {state: 'failed', problem});
  }

  #find(id: string): Outgoing | undefined {
    return this.#messages.find((message) => message.id === id);
  }

  #change(id: string, change: Partial<Outgoing>): void {
    this.#set(
      this.#messages.map((message) => (message.id === id ? {...message, ...change} : message)),
    );
  }

  #set(messages: readonly Outgoing[]): void {
    this.#messages = messages;
    this.shelf.write(
      messages.filter(({run_id}) => !run_id).map(({id, text}) => ({id, text})),
    );
    this.outlet.changed();
  }
}

function waiting({id, text}: {id: string; text: string}): Outgoing {
  return {id, text, state: 'sending', run_id: null, position: null, problem: null};
}

function isShown(message: Outgoing, view: View): boolean {
  return view.messages.some(
    (shown) =>
      shown.author === 'customer' &&
      (shown.id === message.id || shown.run_id === message.run_id),
  );
}
