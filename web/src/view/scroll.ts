/** Keeps the newest in sight, unless the reader went up to read something else. */

/** Nearer to the end than this counts as "at the end". In pixels. */
const NEAR = 80;

export class Follower {
  /** True while the reader is at the end, and so wants to stay there. */
  atEnd = true;
  #observer: ResizeObserver | undefined;

  constructor(private readonly changed: () => void) {}

  /** Follows the end of `content` inside `pane`, which scrolls. */
  watch(pane: HTMLElement, content: HTMLElement): void {
    pane.addEventListener('scroll', () => this.#scrolled(pane), {passive: true});
    this.#observer = new ResizeObserver(() => {
      if (this.atEnd) this.toEnd(pane);
    });
    this.#observer.observe(content);
    this.#observer.observe(pane);
  }

  toEnd(pane: HTMLElement): void {
    pane.scrollTop = pane.scrollHeight;
  }

  stop(): void {
    this.#observer?.disconnect();
  }

  #scrolled(pane: HTMLElement): void {
    const left = pane.scrollHeight - pane.scrollTop - pane.clientHeight;
    const atEnd = left < NEAR;
    if (atEnd === this.atEnd) return;
    this.atEnd = atEnd;
    this.changed();
  }
}
