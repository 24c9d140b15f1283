/** CheckBox: yes or no. */

import {CheckBoxApi} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {renderErrors} from '../errors.ts';

class CheckBoxElement extends SurfaceElement<typeof CheckBoxApi> {
  protected override readonly api = CheckBoxApi;
  #visited = false;

  protected override draw(props: PropsOf<typeof CheckBoxApi>): unknown {
    const {label, isValid, validationErrors} = props;
    const errors = this.#visited && isValid === false ? (validationErrors ?? []) : [];
    return html`<div class="a2-field">
      <label class="a2-option">
        <input
          type="checkbox"
          .checked=${live(this.read('value') === true)}
          aria-invalid=${errors.length ? 'true' : nothing}
          aria-describedby=${errors.length ? `${this.uid}-errors` : nothing}
          @change=${this.#changed}
        />
        <span>${label}</span>
      </label>
      ${renderErrors(this.uid, errors)}
    </div>`;
  }

  #changed(event: Event): void {
    this.#visited = true;
    this.write('value', (event.target as HTMLInputElement).checked);
  }
}

export const CHECK_BOX = define(CheckBoxApi, 'maya-a2-check-box', CheckBoxElement);
