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

interface Flight {
  /** The last value that came while the one before was under way. */
  next: Fired | null;
}

export class Gate {
  readonly #flights = new Map<string, Flight>();
  readonly #problems = new Map<string, Problem>();
  /** Keys of actions whose fate is unknown: the same intention goes under the same key. */
  readonly #keys = new Map<string, string>();
  readonly #watchers = new Set<() => void>();

  constructor(
    private readonly send: (action: Action) => Promise<void>,
    private readonly newKey: () => string = () => crypto.randomUUID(),
  ) {}

  isBusy(surfaceId: string, key: string): boolean {
    return this.#flights.has(`${surfaceId} ${key}`);
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
   * Sends an action, unless its component has one under way: then it is dropped, or with
   * `keepLast` (a slider moved on) sent afterwards in place of all between.
   */
  submit(surfaceId: string, fired: Fired, {keepLast}: {keepLast: boolean}): void {
    const place = `${surfaceId} ${fired.key}`;
    const flight = this.#flights.get(place);
    if (flight) {
      if (keepLast) flight.next = fired;
      return;
    }
    this.#flights.set(place, {next: null});
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

  #changed(): void {
    for (const changed of this.#watchers) changed();
  }
}
