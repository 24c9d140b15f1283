/** ChoicePicker: one of several (radios) or some of several (check boxes). */

import {ChoicePickerApi, CommonSchemas} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {renderErrors} from '../errors.ts';

const ChoicesApi = {
  name: ChoicePickerApi.name,
  schema: ChoicePickerApi.schema.extend({action: CommonSchemas.Action.optional()}),
};

type Props = PropsOf<typeof ChoicesApi>;

class ChoicesElement extends SurfaceElement<typeof ChoicesApi> {
  protected override readonly api = ChoicesApi;
  #visited = false;
  #filter = '';

  protected override draw(props: Props): unknown {
    const {t} = this.host.language;
    const {label, accessibility, displayStyle, isValid, validationErrors} = props;
    const errors = this.#visited && isValid === false ? (validationErrors ?? []) : [];
    return html`<fieldset
      class="a2-field a2-choices ${displayStyle ?? ''}"
      aria-describedby=${errors.length ? `${this.uid}-errors` : nothing}
      aria-busy=${this.host.isBusy(this.key) ? 'true' : nothing}
    >
      <legend>${label || accessibility?.label || t('surface.options')}</legend>
      ${props.filterable ? this.#renderFilter() : nothing}
      <div class="a2-options">${this.#renderOptions(props)}</div>
      ${renderErrors(this.uid, errors)}
    </fieldset>`;
  }

  #renderFilter(): unknown {
    return html`<input
      type="search"
      aria-label=${this.host.language.t('surface.filter')}
      .value=${this.#filter}
      @input=${(event: Event) => {
        this.#filter = (event.target as HTMLInputElement).value;
        this.requestUpdate();
      }}
    />`;
  }

  /** What is chosen stays in sight whatever the filter says. */
  #renderOptions({options, variant}: Props): unknown {
    const isMany = variant === 'multipleSelection';
    const chosen = this.#chosen;
    const wanted = this.#filter.toLocaleLowerCase();
    return (options ?? [])
      .map(({label, value}) => ({label: String(label ?? ''), value}))
      .filter(
        ({label, value}) =>
          chosen.includes(value) || label.toLocaleLowerCase().includes(wanted),
      )
      .map(
        ({label, value}) => html`<label class="a2-option">
          <input
            type=${isMany ? 'checkbox' : 'radio'}
            name=${this.uid}
            .checked=${live(chosen.includes(value))}
            @change=${(event: Event) => this.#choose(value, isMany, event)}
          />
          <span>${label}</span>
        </label>`,
      );
  }

  get #chosen(): string[] {
    const value = this.read<unknown>('value');
    return Array.isArray(value) ? value.map(String) : value ? [String(value)] : [];
  }

  #choose(value: string, isMany: boolean, event: Event): void {
    const isOn = (event.target as HTMLInputElement).checked;
    const others = this.#chosen.filter((chosen) => chosen !== value);
    this.#visited = true;
    this.write('value', isMany ? (isOn ? [...others, value] : others) : [value]);
    this.fire();
  }
}

export const CHOICES = define(ChoicesApi, 'maya-a2-choices', ChoicesElement);
