/** Asks "what came after" now and then while no stream of events can be had. */

/** Between two questions, in milliseconds. */
const EVERY = 5_000;

export interface Asker {
  /** True while nothing else brings the events. */
  isNeeded(): boolean;
  /** Reads what came after; rejects where the server cannot be reached. */
  ask(): Promise<void>;
  /** Says whether the last question was answered. */
  answered(ok: boolean): void;
}

export class Catchup {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly asker: Asker) {}

  /** Starts, or stops, as the connection went or came. */
  refresh(): void {
    if (!this.asker.isNeeded()) this.stop();
    else this.#timer ??= setTimeout(() => void this.#ask(), EVERY);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #ask(): Promise<void> {
    const ok = await this.asker.ask().then(
      () => true,
      () => false,
    );
    this.#timer = undefined;
    if (!this.asker.isNeeded()) return;
    this.asker.answered(ok);
    this.refresh();
  }
}
