/** Modal: a dialog that its trigger opens; the browser keeps focus inside and gives it back. */

import {ModalApi} from '@a2ui/web_core/v0_9';
import {html} from 'lit';

import {icon} from '../../icons.ts';
import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';

class ModalElement extends SurfaceElement<typeof ModalApi> {
  protected override readonly api = ModalApi;

  protected override draw(props: PropsOf<typeof ModalApi>): unknown {
    const {trigger, content, accessibility} = props;
    const {t} = this.host.language;
    return html`<div class="a2-trigger" @click=${() => this.#show()}>${this.child(trigger)}</div>
      <dialog
        class="a2-dialog"
        aria-label=${accessibility?.label ?? t('surface.label')}
        @click=${this.#clickedBeside}
      >
        <div class="a2-dialog-body">
          ${this.child(content)}
          <button
            type="button"
            class="button plain round a2-dialog-close"
            aria-label=${t('surface.close')}
            @click=${() => this.#dialog?.close()}
          >
            ${icon('close')}
          </button>
        </div>
      </dialog>`;
  }

  override reveal(name: string): boolean {
    const {componentModel} = this.context;
    if (name !== componentModel.id && name !== componentModel.properties['content']) return false;
    this.#show();
    return true;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog');
  }

  #show(): void {
    if (!this.#dialog?.open) this.#dialog?.showModal();
  }

  /** The dialog's own box is only what lies beside its body. */
  #clickedBeside(event: Event): void {
    if (event.target === this.#dialog) this.#dialog?.close();
  }
}

export const MODAL = define(ModalApi, 'maya-a2-modal', ModalElement);
