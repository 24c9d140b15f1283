/** Button: fires its action once, and rests while any of its surface is under way. */

import {ButtonApi} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';

class ButtonElement extends SurfaceElement<typeof ButtonApi> {
  protected override readonly api = ButtonApi;
  /** Pressed while something was missing: from then on it says what. */
  #asked = false;

  protected override draw(props: PropsOf<typeof ButtonApi>): unknown {
    const {child, variant, accessibility, isValid, validationErrors} = props;
    const isBusy = this.host.isBusy(this.key);
    const missing = isValid === false ? (validationErrors ?? []).join(' ') : '';
    const working = this.host.language.t('surface.working');
    return html`<button
        type="button"
        class="button ${variant === 'borderless' ? 'plain' : (variant ?? '')}"
        aria-label=${accessibility?.label ?? nothing}
        aria-describedby=${missing ? `${this.uid}-why` : nothing}
        aria-disabled=${missing || isBusy || this.mustWait ? 'true' : nothing}
        aria-busy=${isBusy ? 'true' : nothing}
        @click=${() => this.#press(missing)}
      >
        ${this.child(child)}${isBusy
          ? html`<span class="spinner" role="img" aria-label=${working}></span>`
          : nothing}
      </button>
      ${missing
        ? html`<p id="${this.uid}-why" class=${this.#asked ? 'field-error' : 'sr-only'}>
            ${missing}
          </p>`
        : nothing}`;
  }

  #press(missing: string): void {
    this.#asked = missing !== '';
    if (missing) this.requestUpdate();
    else if (!this.mustWait) this.fire();
  }
}

export const BUTTON = define(ButtonApi, 'maya-a2-button', ButtonElement);
