/** What is known of a conversation: facts in order, and what lossy transports added. */

import {settle} from './drafts.ts';
import type {Drafts} from './drafts.ts';
import {isEnvelope} from './events.ts';
import type {Envelope, Frame} from './events.ts';
import {EMPTY_FEED, take} from './feed.ts';
import type {Feed} from './feed.ts';
import {overlay} from './fold.ts';
import type {View} from './view.ts';

export class Memory {
  #feed: Feed = EMPTY_FEED;
  #hints: readonly Envelope[] = [];
  #view: View | null = null;

  /** The view with what the lossy transports added: what the page shows. */
  get view(): View {
    return (this.#view ??= overlay(this.#feed.view, this.#hints));
  }

  get drafts(): Drafts {
    return this.#feed.drafts;
  }

  /** Up to where everything is known: from here a complete transport goes on. */
  get cursor(): number {
    return this.#feed.view.cursor;
  }

  /** The newest position of which anything is known. */
  get last(): number {
    return Math.max(this.cursor, this.#hints.at(-1)?.position ?? 0);
  }

  /**
   * Takes a frame of a transport that brings everything, in order.
   *
   * Returns `missing` where the frame shows that something before it is missing, and
   * `waiting` while the missing is on its way.
   */
  receive(frame: Frame): 'missing' | 'waiting' | 'complete' {
    const before = this.#feed.view;
    this.#set(take(this.#feed, frame), this.#hints);
    const {gap, cursor} = this.#feed.view;
    if (!gap) return 'complete';
    return cursor > before.cursor || gap === before.gap ? 'waiting' : 'missing';
  }

  /** Takes a frame of a transport that brings only some; `false` where it is known. */
  hint(frame: Frame): boolean {
    if (!isEnvelope(frame) || frame.type === 'snapshot') {
      this.receive(frame); // Needs nothing before it.
      return true;
    }
    const isKnown = this.#hints.some((hint) => hint.position === frame.position);
    if (isKnown || frame.position <= this.cursor) return false;
    const hints = [...this.#hints, frame].sort((a, b) => a.position - b.position);
    const drafts = settle(this.#feed.drafts, frame);
    this.#set({...this.#feed, drafts}, hints);
    return true;
  }

  forget(): void {
    this.#set(EMPTY_FEED, []);
  }

  #set(feed: Feed, hints: readonly Envelope[]): void {
    this.#feed = feed;
    this.#hints = hints.filter((hint) => hint.position > feed.view.cursor);
    this.#view = null;
  }
}
