/** Says in place of a component why it is not shown. */

import {html} from 'lit';
import type {TemplateResult} from 'lit';

import {icon} from '../icons.ts';

export function renderRefusal(words: string): TemplateResult {
  return html`<p class="refusal">${icon('info')}<span>${words}</span></p>`;
}
