/** TextField: one line, several, a number or a secret; errors come once one has left it. */

import {TextFieldApi} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {renderErrors} from '../errors.ts';

class TextFieldElement extends SurfaceElement<typeof TextFieldApi> {
  protected override readonly api = TextFieldApi;
  #visited = false;

  protected override draw(props: PropsOf<typeof TextFieldApi>): unknown {
    const {label, variant, accessibility} = props;
    const value = String(this.read('value') ?? '');
    const errors = this.#visited ? this.#errors(props, value) : [];
    const name = label || accessibility?.label || this.host.language.t('surface.field');
    return html`<div class="a2-field">
      <label for=${this.uid}>${name}</label>
      ${variant === 'longText' ? this.#area(value, errors) : this.#line(value, errors, variant)}
      ${renderErrors(this.uid, errors)}
    </div>`;
  }

  #line(value: string, errors: string[], variant: string | undefined): unknown {
    return html`<input
      id=${this.uid}
      type=${variant === 'obscured' ? 'password' : 'text'}
      inputmode=${variant === 'number' ? 'decimal' : nothing}
      autocomplete="off"
      .value=${live(value)}
      aria-invalid=${errors.length ? 'true' : nothing}
      aria-describedby=${errors.length ? `${this.uid}-errors` : nothing}
      @input=${this.#typed}
      @blur=${this.#left}
    />`;
  }

  #area(value: string, errors: string[]): unknown {
    return html`<textarea
      id=${this.uid}
      rows="3"
      .value=${live(value)}
      aria-invalid=${errors.length ? 'true' : nothing}
      aria-describedby=${errors.length ? `${this.uid}-errors` : nothing}
      @input=${this.#typed}
      @blur=${this.#left}
    ></textarea>`;
  }

  #errors(props: PropsOf<typeof TextFieldApi>, value: string): string[] {
    const {isValid, validationErrors, validationRegexp} = props;
    const errors = isValid === false ? (validationErrors ?? []) : [];
    if (errors.length || !validationRegexp || !value) return errors;
    return matches(value, validationRegexp) ? [] : [this.host.language.t('surface.invalid')];
  }

  #typed(event: Event): void {
    this.write('value', (event.target as HTMLInputElement).value);
  }

  #left(): void {
    this.#visited = true;
    this.requestUpdate();
  }
}

/** A pattern that is none forbids nothing. */
function matches(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern).test(value);
  } catch {
    return true;
  }
}

export const TEXT_FIELD = define(TextFieldApi, 'maya-a2-text-field', TextFieldElement);
