/** Says that what was asked for needs a signed-in customer, and that it will go on. */

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';

import {icon} from '../icons.ts';
import type {Language} from '../strings/index.ts';

/** `ask` lets the page that frames the chat sign the visitor in, where one does. */
export function renderSignIn({t}: Language, ask: (() => void) | null): TemplateResult {
  return html`<div class="sign-in">
    ${icon('lock')}
    <div>
      <p><strong>${t('signIn.needed')}</strong></p>
      <p>${t(ask ? 'signIn.here' : 'signIn.there')}</p>
      ${ask
        ? html`<button type="button" class="button small" @click=${ask}>${t('signIn.ask')}</button>`
        : nothing}
    </div>
  </div>`;
}
