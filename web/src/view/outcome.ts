/** Says what is known of a run, and what is not: only `done` may look done. */

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';

import type {StatusCard} from '../events.ts';
import {icon} from '../icons.ts';
import type {IconName} from '../icons.ts';
import type {RunCard} from '../receipts/merge.ts';
import type {Key, Language} from '../strings/index.ts';
import {isSafeLink, renderLink} from './markdown.ts';
import {formatFully, formatMoment} from './time.ts';

export type Tone = 'open' | 'waiting' | 'doubt' | 'success' | 'danger' | 'quiet';

const LOOKS: Record<RunCard['state'], {tone: Tone; icon: IconName}> = {
  requested: {tone: 'open', icon: 'edit'},
  awaiting_owner: {tone: 'waiting', icon: 'clock'},
  queued: {tone: 'waiting', icon: 'clock'},
  running: {tone: 'waiting', icon: 'clock'},
  pending: {tone: 'waiting', icon: 'clock'},
  unknown: {tone: 'doubt', icon: 'help'},
  done: {tone: 'success', icon: 'check'},
  failed: {tone: 'danger', icon: 'close'},
  rejected: {tone: 'danger', icon: 'close'},
  cancelled: {tone: 'quiet', icon: 'close'},
  expired: {tone: 'quiet', icon: 'clock'},
};

/** Reasons that have words of their own, by state. */
const REASONS: Record<string, Key> = {
  'failed stale': 'says.stale',
  'failed unverifiable': 'says.unverifiable',
  'cancelled replaced': 'says.replaced',
};

/** True where a failure does not prove that nothing happened. */
export function isUncertain(card: RunCard): boolean {
  return card.state === 'failed' && card.certain === false;
}

export function looksOf(card: RunCard): {tone: Tone; icon: IconName} {
  return isUncertain(card) ? {tone: 'doubt', icon: 'help'} : LOOKS[card.state];
}

export function stateWord(card: RunCard, {t}: Language): string {
  return t(isUncertain(card) ? 'state.uncertain' : `state.${card.state}`);
}

export function renderBadge(card: RunCard, language: Language): TemplateResult {
  const {tone, icon: name} = looksOf(card);
  return html`<span class="badge ${tone}" data-state=${card.state}
    >${icon(name)}<span>${stateWord(card, language)}</span></span
  >`;
}

/** The sentences under the state, then what the site's own system said. */
export function renderOutcome(
  card: RunCard,
  language: Language,
  isLeftAlone: boolean,
): TemplateResult {
  const {t} = language;
  const doubt = card.state === 'unknown' || isUncertain(card);
  return html`
    ${doubt ? renderDoubt(card, language) : html`<p>${t(saysOf(card))}</p>`}
    ${card.message ? html`<p class="said">${card.message}</p>` : nothing}
    ${card.reference
      ? html`<p>${t('receipt.reference')}: <code class="exact">${card.reference}</code></p>`
      : nothing}
    ${card.card ? renderStatusCard(card.card, card.state === 'done', language) : nothing}
    ${isLeftAlone && !card.final ? html`<p class="note">${t('says.leftAlone')}</p>` : nothing}
  `;
}

function saysOf(card: RunCard): Key {
  if (card.state === 'done' && card.effect === 'verified') return 'says.doneVerified';
  const byReason = REASONS[`${card.state} ${card.reason ?? ''}`];
  return byReason ?? (`says.${card.state}` as Key);
}

function renderDoubt(card: RunCard, {t, plural}: Language): TemplateResult {
  const sent = plural('says.knownSent', Math.max(1, card.attempts));
  return html`<dl class="known">
      <div>
        <dt>${t('says.known')}</dt>
        <dd>${sent}</dd>
      </div>
      <div>
        <dt>${t('says.notKnown')}</dt>
        <dd>${t('says.notKnownDone')}</dd>
      </div>
    </dl>
    <p>${t(card.final ? 'says.uncertainNext' : 'says.unknownNext')}</p>`;
}

/** The site's card describes; it cannot make anything look done that is not. */
function renderStatusCard(
  card: StatusCard,
  isDone: boolean,
  language: Language,
): TemplateResult {
  const {status, link} = card;
  const tone = status?.tone === 'success' && !isDone ? 'neutral' : status?.tone;
  return html`<div class="status-card">
    <header>
      <strong>${card.title}</strong>
      ${status ? html`<span class="tag tone-${tone}">${status.label}</span>` : nothing}
    </header>
    <dl>
      ${card.fields.map(
        ({label, value}) => html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
      )}
    </dl>
    ${card.asOf
      ? html`<p class="note">
          ${language.t('receipt.asOf', {time: formatMoment(card.asOf, language.locale)})}
        </p>`
      : nothing}
    ${link && isSafeLink(link.url)
      ? html`<p>${renderLink(link.label, link.url, language)}</p>`
      : nothing}
  </div>`;
}

/** When each step happened, as far as it is known. */
export function renderTimes(card: RunCard, {t, locale}: Language): TemplateResult | typeof nothing {
  const times: [Key, string | null][] = [
    ['receipt.created', card.created],
    ['receipt.confirmed', card.confirmed_at],
    ['receipt.decided', card.decided_at],
    ['receipt.finished', card.finished_at],
  ];
  const known = times.filter(([, time]) => time !== null);
  if (!known.length) return nothing;
  return html`<ol class="times">
    ${known.map(
      ([key, time]) =>
        html`<li>
          <span>${t(key)}</span>
          <time datetime=${time ?? ''}>${formatFully(time ?? '', locale)}</time>
        </li>`,
    )}
  </ol>`;
}
