/** Draws what was said: by the customer, by the agent, and what the agent is saying now. */

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';

import type {Draft} from '../drafts.ts';
import {icon} from '../icons.ts';
import type {Outgoing} from '../outbox.ts';
import type {Key, Language} from '../strings/index.ts';
import type {Message, Turn} from '../view.ts';
import './copy.ts';
import {renderSources} from './evidence.ts';
import {renderBlocks} from './markdown.ts';
import {sentence} from './problem.ts';
import {formatMoment} from './time.ts';

export function renderMessage(message: Message, language: Language): TemplateResult {
  if (message.author === 'customer') {
    const time = renderTime(message.created, language);
    return renderCustomer(message.text, language, html`<p class="message-tools">${time}</p>`);
  }
  return html`<article class="message agent">
    <h2 class="sr-only">${language.t('app.agent')}</h2>
    <div class="prose">${renderBlocks(message.text, language)}</div>
    ${message.sources.length ? renderSources(message.sources, language) : nothing}
    <footer class="message-tools">
      ${renderTime(message.created, language)}
      <maya-copy .text=${message.text} .language=${language}></maya-copy>
    </footer>
  </article>`;
}

function renderTime(created: string | null, {locale}: Language): TemplateResult | typeof nothing {
  if (!created) return nothing;
  return html`<time datetime=${created}>${formatMoment(created, locale)}</time>`;
}

function renderCustomer(
  text: string,
  language: Language,
  below: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`<article class="message customer">
    <h2 class="sr-only">${language.t('app.you')}</h2>
    <p class="bubble">${text}</p>
    ${below}
  </article>`;
}

export interface OutgoingActions {
  retry(id: string): void;
  discard(id: string): void;
}

/** A message on its way; one that failed says so and offers to go again, as the same one. */
export function renderOutgoing(
  outgoing: Outgoing,
  language: Language,
  actions: OutgoingActions,
): TemplateResult {
  const {t} = language;
  const {id, text, state, problem} = outgoing;
  if (state === 'sending') return renderCustomer(text, language);
  return renderCustomer(
    text,
    language,
    html`<div class="unsent" role="alert">
      <p>
        ${icon('error')} ${t('message.failed')} ${problem ? sentence(problem, language) : nothing}
      </p>
      <button type="button" class="button small" @click=${() => actions.retry(id)}>
        ${t('message.retry')}
      </button>
      <button type="button" class="button small plain" @click=${() => actions.discard(id)}>
        ${t('message.discard')}
      </button>
    </div>`,
  );
}

/** A turn that goes on: what it is doing, and the draft so far. */
export function renderActive(
  phase: Key,
  draft: Draft | undefined,
  language: Language,
  stop: (() => void) | null,
): TemplateResult {
  const {t} = language;
  return html`<article class="message agent active" aria-busy="true">
    ${draft?.text
      ? html`<div class="prose draft">${renderBlocks(draft.text, language)}</div>`
      : nothing}
    <div class="phase">
      <span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>
      <span class="phase-words">${t(phase)}</span>
      ${stop
        ? html`<button type="button" class="button small plain" @click=${stop}>
            ${icon('stop')}${t('composer.stop')}
          </button>`
        : nothing}
    </div>
  </article>`;
}

/** A turn that ended without its answer. */
export function renderEnded(turn: Turn, language: Language): TemplateResult {
  const failed = turn.status === 'failed';
  return html`<p class="ended ${failed ? 'failed' : ''}">
    ${icon(failed ? 'error' : 'stop')}
    <span>${language.t(failed ? 'phase.failed' : 'phase.stopped')}</span>
  </p>`;
}
