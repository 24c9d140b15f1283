/** Lets each action out once: one at a time per component, one key per intention. */

import {asProblem} from '../transport/http.ts';
import type {Problem} from '../transport/http.ts';
import type {Fired} from './host.ts';

/** An action as it leaves, but for the envelope around it. */
export interface Action {
  name: string;
  surfaceId: string;
  sourceComponentId: string;
  timestamp: string;
  context: Record<string, unknown>;
  idempotencyKey: string;
}

/** Quiet tries after the first, with the same key, in milliseconds. */
const RETRY_AFTER = [1_000, 3_000];
/** The server is at this very action already: nothing more to send. */
const UNDER_WAY = 'action_in_flight';
/** What an answer changed must be seen before it can be pressed. In milliseconds. */
const SETTLE = 300;

interface Flight {
  surfaceId: string;
  /** The last value that came while the one before was under way. */
  next: Fired | null;
}

export class Gate {
  readonly #flights = new Map<string, Flight>();
  readonly #problems = new Map<string, Problem>();
  /** Keys of actions whose fate is unknown: the same intention goes under the same key. */
  readonly #keys = new Map<string, string>();
  readonly #watchers = new Set<() => void>();
  /** Surfaces that an answer has just changed. */
  readonly #settling = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(
    private readonly send: (action: Action) => Promise<void>,
    private readonly newKey: () => string = () => crypto.randomUUID(),
  ) {}

  isBusy(surfaceId: string, key: string): boolean {
    return this.#flights.has(`${surfaceId} ${key}`);
  }

  /**
   * True while an answer may still change what a surface's buttons say: a press now could
   * mean something else than what was read.
   */
  isUnsettled(surfaceId: string): boolean {
    if (this.#settling.has(surfaceId)) return true;
    return [...this.#flights.values()].some((flight) => flight.surfaceId === surfaceId);
  }

  /** Why the last action of a surface was not carried out, if so. */
  problem(surfaceId: string): Problem | null {
    return this.#problems.get(surfaceId) ?? null;
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /**
   * Sends an action, unless one is under way. With `keepLast` (a slider moved on) only one
   * of the same component counts, and the last value is sent afterwards in place of all
   * between; else (a button) any of the surface counts, and this one is dropped.
   */
  submit(surfaceId: string, fired: Fired, {keepLast}: {keepLast: boolean}): void {
    const place = `${surfaceId} ${fired.key}`;
    const flight = this.#flights.get(place);
    if (flight) {
      if (keepLast) flight.next = fired;
      return;
    }
    if (!keepLast && this.isUnsettled(surfaceId)) return;
    this.#flights.set(place, {surfaceId, next: null});
    this.#problems.delete(surfaceId);
    this.#changed();
    void this.#fly(surfaceId, place, fired);
  }

  async #fly(surfaceId: string, place: string, fired: Fired): Promise<void> {
    const intention = `${place} ${fired.name} ${JSON.stringify(fired.context)}`;
    const idempotencyKey = this.#keys.get(intention) ?? this.newKey();
    this.#keys.set(intention, idempotencyKey);
    const problem = await this.#try({
      name: fired.name,
      surfaceId,
      sourceComponentId: fired.sourceComponentId,
      timestamp: new Date().toISOString(),
      context: fired.context,
      idempotencyKey,
    });
    if (!problem?.isPassing) this.#keys.delete(intention);
    if (problem) this.#problems.set(surfaceId, problem);
    const next = this.#flights.get(place)?.next;
    this.#flights.delete(place);
    this.#settle(surfaceId);
    this.#changed();
    if (next) this.submit(surfaceId, next, {keepLast: true});
  }

  async #try(action: Action, tries = 0): Promise<Problem | null> {
    try {
      await this.send(action);
      return null;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code === UNDER_WAY) return null;
      const wait = RETRY_AFTER[tries];
      if (!problem.isPassing || wait === undefined) return problem;
      await new Promise((resolve) => setTimeout(resolve, wait));
      return this.#try(action, tries + 1);
    }
  }

  #settle(surfaceId: string): void {
    clearTimeout(this.#settling.get(surfaceId));
    const settled = (): void => {
      this.#settling.delete(surfaceId);
      this.#changed();
    };
    this.#settling.set(surfaceId, setTimeout(settled, SETTLE));
  }

  #changed(): void {
    for (const changed of this.#watchers) changed();
  }
}
