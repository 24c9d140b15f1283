/** `<maya-run>`: a proposal to confirm, and then its receipt, in one place. */

import {html, LitElement, nothing} from 'lit';
import type {PropertyValues, TemplateResult} from 'lit';

import {icon} from '../icons.ts';
import type {Press} from '../receipts/desk.ts';
import type {RunCard} from '../receipts/merge.ts';
import type {Language} from '../strings/index.ts';
import './copy.ts';
import './countdown.ts';
import {timeLeft} from './countdown.ts';
import {renderDigest, renderFacts} from './facts.ts';
import {formatMoney} from './money.ts';
import {looksOf, renderBadge, renderOutcome, renderTimes} from './outcome.ts';
import {printReceipt} from './print.ts';
import {sentence} from './problem.ts';

export class RunElement extends LitElement {
  static override properties = {
    card: {attribute: false},
    press: {attribute: false},
    language: {attribute: false},
    skew: {attribute: false},
    leftAlone: {attribute: false},
  };
  declare card: RunCard;
  declare press: Press | null;
  declare language: Language;
  declare skew: number;
  declare leftAlone: boolean;
  #hadFocus = false;

  override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(): void {
    this.#hadFocus = this.contains(document.activeElement);
  }

  /** Buttons that vanish must not take the reader's place in the page with them. */
  protected override updated(changed: PropertyValues<this>): void {
    const lost = this.#hadFocus && !this.contains(document.activeElement);
    if (changed.has('card') && lost) this.querySelector<HTMLElement>('.run')?.focus();
  }

  override render(): TemplateResult {
    const {card, language} = this;
    const isOpen = card.state === 'requested';
    const titleId = `run-${card.run_id}`;
    return html`<article
      class="run ${looksOf(card).tone}"
      aria-labelledby=${titleId}
      tabindex="-1"
    >
      <header>
        <div class="run-heading">
          ${isOpen
            ? html`<p class="eyebrow">${language.t('card.heading')}</p>`
            : renderBadge(card, language)}
          <h2 id=${titleId}>${card.title}</h2>
        </div>
        ${card.amount
          ? html`<p class="amount">
              <span class="sr-only">${language.t('card.amount')}: </span>${formatMoney(
                card.amount,
                language.locale,
              )}
            </p>`
          : nothing}
      </header>
      ${isOpen ? this.#renderProposal() : this.#renderReceipt()}
    </article>`;
  }

  #renderProposal(): TemplateResult {
    const {card, language} = this;
    const {t} = language;
    const next = card.approval === 'owner' ? 'card.nextOwner' : 'card.nextNone';
    return html`
      ${renderFacts(card, language)}
      <section class="facts next">
        <h3>${t('card.next')}</h3>
        <p>${t(next)}</p>
      </section>
      ${this.#renderProblem()}
      <footer>
        <div class="actions">${this.#renderButtons()}</div>
        ${card.rehearsal ? html`<p class="note">${t('card.rehearsal')}</p>` : nothing}
        <p class="fine">
          <maya-countdown
            .until=${card.expires_at}
            .skew=${this.skew}
            .language=${language}
            @lapsed=${() => this.requestUpdate()}
          ></maya-countdown>
          ${renderDigest(card, language)}
        </p>
      </footer>
    `;
  }

  /** Pressed is pressed: both rest until the answer, and for good once the time is over. */
  #renderButtons(): TemplateResult {
    const {t} = this.language;
    const pressed = this.press && !this.press.problem ? this.press.verb : null;
    const lapsed = timeLeft(this.card.expires_at, this.skew) <= 0;
    const isInert = pressed !== null || lapsed || this.card.rehearsal;
    const button = (verb: Press['verb'], look: string, rest: string, busy: string) => html`
      <button
        type="button"
        class="button ${look}"
        data-verb=${verb}
        aria-disabled=${isInert ? 'true' : nothing}
        aria-busy=${pressed === verb ? 'true' : nothing}
        @click=${() => isInert || this.#say(verb)}
      >
        ${pressed === verb ? busy : rest}
      </button>
    `;
    return html`
      ${button('confirm', 'primary', t('card.confirm'), t('card.confirming'))}
      ${button('cancel', '', t('card.cancel'), t('card.cancelling'))}
    `;
  }

  #renderReceipt(): TemplateResult {
    const {card, language} = this;
    return html`
      <div class="outcome">${renderOutcome(card, language, this.leftAlone)}</div>
      ${this.#renderProblem()}
      <footer>
        ${renderTimes(card, language)}
        <details class="more">
          <summary>${language.t('receipt.details')}</summary>
          ${renderFacts(card, language)}
          <p class="fine">${renderDigest(card, language)}</p>
        </details>
        <div class="run-tools">
          <button type="button" class="button small plain" @click=${this.#print}>
            ${icon('print')}${language.t('receipt.print')}
          </button>
          ${card.reference
            ? html`<maya-copy .text=${card.reference} .language=${language}></maya-copy>`
            : nothing}
        </div>
      </footer>
    `;
  }

  /** A press that got no answer may have arrived: say so rather than "failed". */
  #renderProblem(): TemplateResult | typeof nothing {
    const problem = this.press?.problem;
    if (!problem) return nothing;
    const {language} = this;
    const isOpen = this.card.state === 'requested';
    if (problem.isPassing && !isOpen) return nothing;
    return html`<p class="problem" role="alert">
      ${sentence(problem, language)}
      ${problem.isPassing ? language.t('error.unsure') : nothing}
    </p>`;
  }

  #print(): void {
    const receipt = this.querySelector<HTMLElement>('.run');
    if (receipt) printReceipt(receipt);
  }

  #say(verb: Press['verb']): void {
    this.dispatchEvent(new CustomEvent('press', {detail: verb}));
  }
}

customElements.define('maya-run', RunElement);
