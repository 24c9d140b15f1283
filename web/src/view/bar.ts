/** Draws the bar above the conversation: whose chat it is, and as whom one speaks. */

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';

import {icon} from '../icons.ts';
import type {Language} from '../strings/index.ts';

/** `close` is there where the chat stands in a frame that can be closed. */
export function renderBar(
  siteName: string,
  customerName: string,
  {t}: Language,
  close: (() => void) | null,
): TemplateResult {
  const title = siteName || t('app.title');
  return html`<header class="bar">
    <span class="mark" aria-hidden="true">${title.charAt(0)}</span>
    <div>
      <h1>${title}</h1>
      <p>${customerName ? t('app.signedIn', {name: customerName}) : t('app.anonymous')}</p>
    </div>
    ${close
      ? html`<button type="button" class="button plain round" aria-label=${t('app.close')} @click=${close}>
          ${icon('close')}
        </button>`
      : nothing}
  </header>`;
}
