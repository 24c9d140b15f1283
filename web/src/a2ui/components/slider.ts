/** Slider: a number on a scale; its action fires once, when it is let go. */

import {CommonSchemas, SliderApi} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {z} from 'zod';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {renderErrors} from '../errors.ts';

const OurSliderApi = {
  name: SliderApi.name,
  schema: SliderApi.schema.extend({
    step: z.number().positive().optional(),
    action: CommonSchemas.Action.optional(),
  }),
};

class SliderElement extends SurfaceElement<typeof OurSliderApi> {
  protected override readonly api = OurSliderApi;
  /** Browsers say "changed" at each key press: a held key is let go only at its end. */
  #isKeyDown = false;
  #isMoved = false;

  protected override draw(props: PropsOf<typeof OurSliderApi>): unknown {
    const {label, min, max, step, accessibility, isValid, validationErrors} = props;
    const {locale, t} = this.host.language;
    const value = Number(this.read('value') ?? min ?? 0);
    const shown = new Intl.NumberFormat(locale).format(value);
    const errors = isValid === false ? (validationErrors ?? []) : [];
    const isBusy = this.host.isBusy(this.key);
    return html`<div class="a2-field a2-slider">
      <label for=${this.uid}>${label || accessibility?.label || t('surface.value')}</label>
      <span class="a2-value ${isBusy ? 'busy' : ''}" aria-hidden="true">${shown}</span>
      <input
        id=${this.uid}
        type="range"
        min=${min ?? 0}
        max=${max}
        step=${step ?? 'any'}
        .value=${live(String(value))}
        aria-valuetext=${shown}
        aria-busy=${isBusy ? 'true' : nothing}
        aria-invalid=${errors.length ? 'true' : nothing}
        aria-describedby=${errors.length ? `${this.uid}-errors` : nothing}
        @input=${this.#moved}
        @change=${this.#changed}
        @keydown=${() => (this.#isKeyDown = true)}
        @keyup=${this.#released}
        @blur=${this.#released}
      />
      ${renderErrors(this.uid, errors)}
    </div>`;
  }

  #moved(event: Event): void {
    this.#isMoved = true;
    this.write('value', Number((event.target as HTMLInputElement).value));
  }

  #changed(): void {
    if (!this.#isKeyDown) this.#letGo();
  }

  #released(): void {
    this.#isKeyDown = false;
    this.#letGo();
  }

  #letGo(): void {
    if (!this.#isMoved) return;
    this.#isMoved = false;
    this.fire();
  }
}

export const SLIDER = define(OurSliderApi, 'maya-a2-slider', SliderElement);
