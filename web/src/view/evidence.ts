/** Draws what a proposal rests on, and the passages that an answer cites. */

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';

import type {Evidence, Source} from '../events.ts';
import {icon} from '../icons.ts';
import type {Key, Language} from '../strings/index.ts';

const KINDS = new Set(['lookup', 'mcp', 'policy', 'statement']);

export function renderEvidence(evidence: Evidence[], language: Language): TemplateResult {
  const {t} = language;
  return html`<ul class="passages">
    ${evidence.map(({kind, title, source, reference, quote}) => {
      const word = t(`evidence.${KINDS.has(kind) ? kind : 'other'}` as Key);
      return renderPassage({label: title ?? source, tag: word, reference, quote});
    })}
  </ul>`;
}

/** A source names its section where it has one: a reader can look it up. */
export function renderSources(sources: Source[], language: Language): TemplateResult {
  const {t} = language;
  return html`<div class="sources">
    <h3>${t('message.sources')}</h3>
    <ul class="passages">
      ${sources.map(({title, section, reference, quote}) =>
        renderPassage({
          label: title ?? reference,
          tag: sectionTag(title ?? '', section, language),
          reference,
          quote,
        }),
      )}
    </ul>
  </div>`;
}

/** Names the section, unless the title does so already. */
function sectionTag(title: string, section: string | undefined, {t}: Language): string {
  const tag = section ? t('message.section', {section}) : '';
  return title.includes(tag) ? '' : tag;
}

interface Passage {
  label: string;
  tag: string;
  reference: string;
  quote: string | undefined;
}

/** Opens where there is a passage to read; is a plain line where there is none. */
function renderPassage({label, tag, reference, quote}: Passage): TemplateResult {
  const line = html`<span class="passage-words"
    ><span class="passage-label">${label}</span>${tag
      ? html`<span class="tag">${tag}</span>`
      : nothing}</span
  >`;
  if (!quote) {
    return html`<li class="passage">
      <div class="passage-line">${line}<code class="reference">${reference}</code></div>
    </li>`;
  }
  return html`<li class="passage">
    <details>
      <summary>${icon('chevron')}${line}</summary>
      <blockquote>${quote}</blockquote>
      <code class="reference">${reference}</code>
    </details>
  </li>`;
}
