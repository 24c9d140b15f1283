/** DateTimeInput: a date, a time, or both, in the browser's own picker. */

import {DateTimeInputApi} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {renderErrors} from '../errors.ts';

type Kind = 'date' | 'time' | 'datetime-local';

const WORDS = {
  date: 'surface.date',
  time: 'surface.time',
  'datetime-local': 'surface.datetime',
} as const;

/** An ISO date with a time and a zone. */
const ZONED = /T.*(Z|[+-]\d{2}:?\d{2})$/;

class DateTimeElement extends SurfaceElement<typeof DateTimeInputApi> {
  protected override readonly api = DateTimeInputApi;
  #visited = false;

  protected override draw(props: PropsOf<typeof DateTimeInputApi>): unknown {
    const {label, accessibility, enableDate, enableTime, isValid, validationErrors} = props;
    const kind = kindOf(enableDate, enableTime);
    const errors = this.#visited && isValid === false ? (validationErrors ?? []) : [];
    return html`<div class="a2-field">
      <label for=${this.uid}>
        ${label || accessibility?.label || this.host.language.t(WORDS[kind])}
      </label>
      <input
        id=${this.uid}
        type=${kind}
        min=${fieldValue(props.min, kind) || nothing}
        max=${fieldValue(props.max, kind) || nothing}
        .value=${live(fieldValue(this.read('value'), kind))}
        aria-invalid=${errors.length ? 'true' : nothing}
        aria-describedby=${errors.length ? `${this.uid}-errors` : nothing}
        @change=${this.#changed}
        @blur=${this.#left}
      />
      ${renderErrors(this.uid, errors)}
    </div>`;
  }

  #changed(event: Event): void {
    this.write('value', (event.target as HTMLInputElement).value);
  }

  #left(): void {
    this.#visited = true;
    this.requestUpdate();
  }
}

function kindOf(enableDate?: boolean, enableTime?: boolean): Kind {
  if (enableDate && enableTime) return 'datetime-local';
  return enableTime ? 'time' : 'date';
}

/** Cuts an ISO value to what the browser's field takes; a zoned one becomes local time. */
export function fieldValue(value: unknown, kind: Kind): string {
  const text = typeof value === 'string' ? value : '';
  const local = ZONED.test(text) ? localIso(text) : text;
  const [date = '', time = ''] = local.includes('T') ? local.split('T') : ['', local];
  if (kind === 'time') return time.slice(0, 5);
  const day = date || (/^\d{4}-/.test(local) ? local.slice(0, 10) : '');
  if (kind === 'date') return day;
  return day && `${day}T${date && time ? time.slice(0, 5) : '00:00'}`;
}

function localIso(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return '';
  const offset = date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - offset).toISOString().slice(0, 16);
}

export const DATE_TIME = define(DateTimeInputApi, 'maya-a2-date-time', DateTimeElement);
