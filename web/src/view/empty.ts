/** Draws a chat in which nothing was said yet: what it is for, and ways to begin. */

import {html} from 'lit';
import type {TemplateResult} from 'lit';

import {icon} from '../icons.ts';
import type {Language} from '../strings/index.ts';

export function renderEmpty(
  name: string,
  suggestions: string[],
  {t}: Language,
  send: (text: string) => void,
): TemplateResult {
  const offered = suggestions.length
    ? suggestions
    : [t('empty.suggestion1'), t('empty.suggestion2')];
  return html`<section class="empty">
    <h2>${name ? t('empty.titleNamed', {name}) : t('empty.title')}</h2>
    <p>${t('empty.text')}</p>
    <h3 class="sr-only">${t('empty.suggestions')}</h3>
    <ul>
      ${offered.map(
        (text) =>
          html`<li>
            <button type="button" class="suggestion" @click=${() => send(text)}>
              <span>${text}</span>${icon('arrowForward')}
            </button>
          </li>`,
      )}
    </ul>
  </section>`;
}
