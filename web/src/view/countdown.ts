/** Counts down to a moment, by the server's clock, without speaking each second. */

import {html, LitElement} from 'lit';

import type {Language} from '../strings/index.ts';
import {formatCountdown} from './time.ts';

/** From here on the countdown looks urgent. In milliseconds. */
const URGENT = 60_000;

export class Countdown extends LitElement {
  static override properties = {
    until: {},
    skew: {attribute: false},
    language: {attribute: false},
  };
  declare until: string;
  declare skew: number;
  declare language: Language;
  #timer: ReturnType<typeof setInterval> | undefined;
  #lapsed = false;

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => this.#tick(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  override render(): unknown {
    const left = timeLeft(this.until, this.skew);
    const {t} = this.language;
    if (left <= 0) return html`<span class="countdown urgent">${t('card.lapsed')}</span>`;
    const text = t('card.expiresIn', {time: formatCountdown(left)});
    return html`<span class="countdown ${left < URGENT ? 'urgent' : ''}" role="timer"
      >${text}</span
    >`;
  }

  /** Says once that the time is over, and then rests. */
  #tick(): void {
    this.requestUpdate();
    if (this.#lapsed || timeLeft(this.until, this.skew) > 0) return;
    this.#lapsed = true;
    clearInterval(this.#timer);
    this.dispatchEvent(new Event('lapsed'));
  }
}

/** Milliseconds until a moment; `skew` is how far the server's clock is ahead. */
export function timeLeft(until: string, skew: number): number {
  return Date.parse(until) - (Date.now() + skew);
}

customElements.define('maya-countdown', Countdown);
