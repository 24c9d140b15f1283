/** `<maya-copy>`: puts a text on the clipboard, and says that it is there. */

import {html, LitElement} from 'lit';
import type {TemplateResult} from 'lit';

import {icon} from '../icons.ts';
import type {Key, Language} from '../strings/index.ts';

/** How long it says so. In milliseconds. */
const SAID_FOR = 2_500;

const WORDS: Record<'idle' | 'done' | 'failed', Key> = {
  idle: 'copy.copy',
  done: 'copy.done',
  failed: 'copy.failed',
};

export class Copy extends LitElement {
  static override properties = {
    text: {attribute: false},
    language: {attribute: false},
    state: {state: true},
  };
  declare text: string;
  declare language: Language;
  declare state: keyof typeof WORDS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.state = 'idle';
  }

  override createRenderRoot(): this {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override render(): TemplateResult {
    return html`<button type="button" class="button small plain" @click=${this.#copy}>
      ${icon(this.state === 'done' ? 'check' : 'copy')}
      <span aria-live="polite">${this.language.t(WORDS[this.state])}</span>
    </button>`;
  }

  /** A browser may forbid it, in a frame or without https. */
  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text);
      this.state = 'done';
    } catch {
      this.state = 'failed';
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.state = 'idle'), SAID_FOR);
  }
}

customElements.define('maya-copy', Copy);
