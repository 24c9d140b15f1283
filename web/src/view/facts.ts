/** Draws the exact content of a proposal: what about, how much, which data. */

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';

import type {CardInput} from '../events.ts';
import type {RunCard} from '../receipts/merge.ts';
import type {Language} from '../strings/index.ts';
import {renderEvidence} from './evidence.ts';

export function renderFacts(card: RunCard, language: Language): TemplateResult {
  const {t} = language;
  return html`
    <section class="facts">
      <h3>${t('card.inputs')}</h3>
      <dl>
        ${card.target?.ref
          ? html`<div>
              <dt>${t('card.target')}</dt>
              <dd><code>${card.target.kind}:${card.target.ref}</code></dd>
            </div>`
          : nothing}
        ${card.input.map((input) => renderInput(input, language))}
      </dl>
    </section>
    ${card.evidence.length
      ? html`<section class="facts">
          <h3>${t('card.evidence')}</h3>
          ${renderEvidence(card.evidence, language)}
        </section>`
      : nothing}
  `;
}

/** Whoever confirms must see every character: nothing is cut, folded or left invisible. */
function renderInput(input: CardInput, {t}: Language): TemplateResult {
  return html`<div>
    <dt>${input.label}</dt>
    <dd>
      <span class="exact">${input.shown}</span>
      ${hidesCharacters(input)
        ? html`<span class="note warning">${t('card.invisible')}</span>`
        : nothing}
    </dd>
  </div>`;
}

function hidesCharacters({value, shown}: CardInput): boolean {
  return typeof value === 'string' && value !== shown;
}

export function renderDigest(card: RunCard, {t}: Language): TemplateResult {
  return html`<span class="digest" title=${t('card.digestHelp')}
    >${t('card.digest')} <code>${card.digest_short}</code></span
  >`;
}
