/** Draws what is wrong with a field, where a screen reader finds it from the field. */

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';

export function renderErrors(uid: string, errors: string[]): TemplateResult | typeof nothing {
  if (!errors.length) return nothing;
  return html`<p id="${uid}-errors" class="field-error" role="alert">${errors.join(' ')}</p>`;
}
