/** `<maya-composer>`: where the customer writes; an unsent draft survives a reload. */

import {html, LitElement} from 'lit';
import type {TemplateResult} from 'lit';

import {icon} from '../icons.ts';
import {keep, recall} from '../keep.ts';
import type {Language} from '../strings/index.ts';

const MOST_CHARACTERS = 4000;
const MOST_ROWS = 8;

export class Composer extends LitElement {
  static override properties = {
    language: {attribute: false},
    shelf: {},
    text: {state: true},
  };
  declare language: Language;
  /** The key under which the draft is kept. */
  declare shelf: string;
  declare text: string;

  constructor() {
    super();
    this.text = '';
  }

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.text = recall(this.shelf, '');
  }

  clear(): void {
    this.#set('');
  }

  override focus(): void {
    this.querySelector('textarea')?.focus();
  }

  override render(): TemplateResult {
    const {t} = this.language;
    const rows = Math.min(MOST_ROWS, this.text.split('\n').length);
    return html`<form class="composer" @submit=${this.#submit}>
      <label class="sr-only" for="maya-text">${t('composer.label')}</label>
      <textarea
        id="maya-text"
        rows=${rows}
        maxlength=${MOST_CHARACTERS}
        placeholder=${t('composer.placeholder')}
        aria-describedby="maya-hint"
        enterkeyhint="send"
        .value=${this.text}
        @input=${this.#typed}
        @keydown=${this.#pressed}
      ></textarea>
      <button
        type="submit"
        class="button primary round"
        aria-label=${t('composer.send')}
        aria-disabled=${this.text.trim() ? 'false' : 'true'}
      >
        ${icon('send')}
      </button>
      <p id="maya-hint" class="sr-only">${t('composer.hint')}</p>
    </form>`;
  }

  #typed(event: Event): void {
    this.#set((event.target as HTMLTextAreaElement).value);
  }

  /** Enter that ends a composition (of Japanese, say) chooses a word and sends nothing. */
  #pressed(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#send();
  }

  #submit(event: Event): void {
    event.preventDefault();
    this.#send();
  }

  #send(): void {
    const text = this.text.trim();
    if (!text) return;
    this.dispatchEvent(new CustomEvent('send', {detail: text}));
    this.#set('');
    this.focus();
  }

  #set(text: string): void {
    this.text = text;
    keep(this.shelf, text);
  }
}

customElements.define('maya-composer', Composer);
