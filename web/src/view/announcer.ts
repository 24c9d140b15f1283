/**
 * Decides what a screen reader is told: answers once they are complete, proposals, and a
 * receipt's new state. Not each piece of a draft, nor a history that is being read back.
 */

import type {RunCard} from '../receipts/merge.ts';
import type {Language} from '../strings/index.ts';
import type {View} from '../view.ts';
import {plainText} from './markdown.ts';
import {stateWord} from './outcome.ts';

/** Facts that come in a burst are told in one breath. In milliseconds. */
const GATHER = 400;
/** A wait shorter than this needs no words. In milliseconds. */
const LONG_WAIT = 2500;

export class Announcer {
  #told = 0;
  #listening = false;
  #pending: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  readonly #states = new Map<string, string>();

  /** `tell` puts a text into the page's polite live region. */
  constructor(
    private readonly language: Language,
    private readonly tell: (text: string) => void,
  ) {}

  /** From now on facts are news; what is already there is history. */
  listen(view: View): void {
    this.#listening = true;
    this.#told = newest(view);
  }

  /** Tells what is new in the view and in the cards of its runs. */
  note(view: View, cards: RunCard[]): void {
    for (const card of cards) this.#noteCard(card);
    const news = view.messages.filter(
      ({author, position}) => author === 'agent' && position > this.#told,
    );
    this.#told = Math.max(this.#told, newest(view));
    for (const {text} of news) this.#say(plainText(text));
  }

  /** The agent is at something; told once, and only if it takes a while. */
  wait(words: string | null): void {
    if (words === null) {
      clearTimeout(this.#waiting);
      this.#waiting = undefined;
    } else this.#waiting ??= setTimeout(() => this.#say(words), LONG_WAIT);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#waiting);
  }

  #noteCard(card: RunCard): void {
    const {t} = this.language;
    const state = stateWord(card, this.language);
    const before = this.#states.get(card.run_id);
    this.#states.set(card.run_id, state);
    if (before === state) return;
    const isOffer = card.state === 'requested';
    if (isOffer) this.#say(t('say.proposal', {title: card.title}));
    else this.#say(t('say.receipt', {title: card.title, state}));
  }

  #say(text: string): void {
    if (!this.#listening) return;
    this.#pending.push(text);
    if (!this.#timer) this.tell(''); // The same words again are news only after silence.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.tell(this.#pending.join(' '));
      this.#pending = [];
    }, GATHER);
  }
}

function newest(view: View): number {
  return Math.max(0, ...view.messages.map((message) => message.position));
}
