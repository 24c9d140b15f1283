/** Asks for the open receipts now and then, as long as the page is open. */

/** Where nothing else brings news. In milliseconds. */
const EVERY_ALONE = 5_000;
/** Where events come by themselves, and only a lost one would be missed. */
const EVERY_LIVE = 30_000;
/** After this an open receipt is left alone, and the page says so. */
export const POLL_LIMIT = 24 * 3600_000;

export interface Pollster {
  /** The runs to ask for now; none means nothing to do. */
  open(): string[];
  isLive(): boolean;
  ask(runIds: string[]): Promise<void>;
}

export class Poll {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #stopped = false;
  #wait = 0;

  constructor(private readonly pollster: Pollster) {}

  start(): void {
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Plans anew, because a run opened or ended or the connection came or went. */
  refresh(): void {
    if (this.#wait !== this.#interval()) this.#schedule();
  }

  /** Asks at once. */
  async now(): Promise<void> {
    clearTimeout(this.#timer);
    const runIds = this.pollster.open();
    if (runIds.length && !this.#asking) {
      this.#asking = true;
      await this.pollster.ask(runIds).catch(() => undefined);
      this.#asking = false;
    }
    this.#schedule();
  }

  #interval(): number {
    return this.pollster.isLive() ? EVERY_LIVE : EVERY_ALONE;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#wait = this.#interval();
    this.#timer = setTimeout(() => void this.now(), this.#wait);
  }
}
