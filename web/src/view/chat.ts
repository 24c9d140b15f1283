/** `<maya-chat>`: the whole page, from the conversation's state to what people see. */

import {html, LitElement, nothing} from 'lit';
import type {PropertyValues, TemplateResult} from 'lit';
import {guard} from 'lit/directives/guard.js';
import {repeat} from 'lit/directives/repeat.js';

import {Gate} from '../a2ui/gate.ts';
import '../a2ui/surface.ts';
import {typingPath} from '../a2ui/surface.ts';
import {Surfaces} from '../a2ui/surfaces.ts';
import {Conversation} from '../conversation.ts';
import type {RunCard} from '../receipts/merge.ts';
import type {Settings} from '../settings.ts';
import {lackingSignIn} from '../signin.ts';
import {languageFor} from '../strings/index.ts';
import type {Language} from '../strings/index.ts';
import {activeTurns, timelineOf} from '../timeline.ts';
import type {Item} from '../timeline.ts';
import {createHttp} from '../transport/http.ts';
import type {Http} from '../transport/http.ts';
import {Announcer} from './announcer.ts';
import {renderBar} from './bar.ts';
import './composer.ts';
import type {Composer} from './composer.ts';
import {renderEmpty} from './empty.ts';
import {Guest} from './guest.ts';
import {renderActive, renderEnded, renderMessage, renderOutgoing} from './message.ts';
import {renderNotice} from './notice.ts';
import {phaseOf} from './phase.ts';
import './run.ts';
import {Follower} from './scroll.ts';
import {renderSignIn} from './sign-in.ts';

/** A history is read back within this long after it begins; later facts are news. */
const HISTORY_TIME = 1500;

export class Chat extends LitElement {
  static override properties = {settings: {attribute: false}, told: {state: true}};
  declare settings: Settings;
  /** What the live region says. */
  declare told: string;
  #language!: Language;
  #http!: Http;
  #conversation!: Conversation;
  #surfaces!: Surfaces;
  #announcer!: Announcer;
  #guest!: Guest;
  #follower = new Follower(() => this.requestUpdate());
  #listening: ReturnType<typeof setTimeout> | undefined;

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const {settings} = this;
    this.told = '';
    this.lang = settings.lang;
    this.#language = languageFor(settings.lang, settings.siteName);
    this.#http = createHttp(this.#language.code);
    this.#conversation = new Conversation(
      this.#http,
      settings.site,
      () => this.requestUpdate(),
      settings.isFramed,
    );
    this.#guest = new Guest(settings, this.#conversation, {
      opened: () => this.#composer?.focus(),
      left: () => this.#startAnew(),
    });
    const gate = new Gate((action) => this.#conversation.act(action));
    this.#surfaces = new Surfaces(this.#language, gate, settings.origins);
    this.#announcer = new Announcer(this.#language, (text) => (this.told = text));
    void this.#start();
    addEventListener('online', this.#cameBack);
    addEventListener('offline', this.#lookAgain);
    this.addEventListener('keydown', this.#pressed);
    document.addEventListener('visibilitychange', this.#lookAgain);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#conversation.stop();
    this.#announcer.stop();
    this.#follower.stop();
    clearTimeout(this.#listening);
    removeEventListener('online', this.#cameBack);
    removeEventListener('offline', this.#lookAgain);
    document.removeEventListener('visibilitychange', this.#lookAgain);
  }

  async #start(): Promise<void> {
    await this.#guest.start();
    this.#listen();
  }

  #listen(): void {
    const listen = (): void => this.#announcer.listen(this.#conversation.view);
    if (this.#conversation.link === 'idle') listen();
    else this.#listening = setTimeout(listen, HISTORY_TIME);
  }

  /** Somebody else is here now: nothing that was written stays. */
  #startAnew(): void {
    this.#composer?.clear();
    this.#listen();
  }

  #lookAgain = (): void => {
    if (navigator.onLine && !document.hidden) this.#conversation.hurry();
    this.requestUpdate();
  };

  #cameBack = (): void => {
    this.#conversation.outbox.retryAll();
    this.#lookAgain();
  };

  protected override firstUpdated(): void {
    const pane = this.#pane;
    const thread = this.querySelector<HTMLElement>('.thread');
    if (pane && thread) this.#follower.watch(pane, thread);
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const {view} = this.#conversation;
    this.#surfaces.sync(view.surfaces, typingPath);
    const cards = this.#cards();
    this.#announcer.note(view, cards);
    this.#guest.note(view, cards);
  }

  override render(): TemplateResult {
    const {t} = this.#language;
    return html`
      ${this.#renderBar()}
      <div class="pane" tabindex="0" role="region" aria-label=${t('app.thread')}>
        <div class="thread">${this.#renderThread()}</div>
      </div>
      <div class="dock">
        ${this.#follower.atEnd
          ? nothing
          : html`<button type="button" class="button jump" @click=${this.#jump}>
              ${t('app.jump')}
            </button>`}
        ${renderNotice(this.#conversation, navigator.onLine, this.#language)}
        <maya-composer
          .language=${this.#language}
          .shelf=${`maya:draft:${this.settings.site}`}
          @send=${(event: CustomEvent<string>) => this.#send(event.detail)}
        ></maya-composer>
      </div>
      <div class="sr-only" role="status" aria-live="polite">${this.told}</div>
    `;
  }

  #renderBar(): TemplateResult {
    const {siteName, isFramed} = this.settings;
    const close = isFramed ? () => this.#guest.close() : null;
    return renderBar(siteName, this.#customerName, this.#language, close);
  }

  /** The session knows best; until it is open, the page. */
  get #customerName(): string {
    const {session} = this.#conversation;
    if (!session) return this.settings.customerName;
    return session.customer ? (session.customer.name ?? '') : '';
  }

  #renderThread(): TemplateResult | TemplateResult[] {
    const {view, outbox, desk} = this.#conversation;
    const items = timelineOf(view, outbox.messages, (runId) => desk.isShown(runId, view));
    const active = this.#renderActiveTurns();
    if (!items.length && !active.length) return this.#renderEmpty();
    return html`<ol class="items" role="list">
      ${repeat(
        items,
        ({key}) => key,
        (item) => html`<li class="item-${item.kind}">${this.#renderItem(item)}</li>`,
      )}
      ${active.map((turn) => html`<li>${turn}</li>`)}
      ${this.#renderSignIn()}
    </ol>`;
  }

  #renderSignIn(): TemplateResult | typeof nothing {
    const {view, session, outbox} = this.#conversation;
    const isLacking = session && !session.customer && !outbox.messages.length;
    if (!isLacking || !lackingSignIn(view)) return nothing;
    const ask = this.settings.isFramed ? () => this.#guest.askSignIn() : null;
    return html`<li>${renderSignIn(this.#language, ask)}</li>`;
  }

  #renderEmpty(): TemplateResult {
    const {suggestions} = this.settings;
    return renderEmpty(this.#customerName, suggestions, this.#language, (text) => {
      this.#send(text);
      this.#pane?.focus(); // The button that was pressed is gone.
    });
  }

  #renderItem(item: Item): TemplateResult | typeof nothing {
    const language = this.#language;
    switch (item.kind) {
      case 'message':
        return html`${guard([item.message], () => renderMessage(item.message, language))}`;
      case 'ended':
        return renderEnded(item.turn, language);
      case 'run':
        return this.#renderRun(item.runId);
      case 'outgoing': {
        const {outbox} = this.#conversation;
        return renderOutgoing(item.outgoing, language, {
          retry: (id) => outbox.retry(id),
          discard: (id) => outbox.discard(id),
        });
      }
      case 'surface':
        return html`<maya-surface
          .surfaces=${this.#surfaces}
          .surfaceId=${item.surface.surface_id}
          .language=${language}
          .version=${item.surface.messages.length}
        ></maya-surface>`;
    }
  }

  #renderRun(runId: string): TemplateResult | typeof nothing {
    const {desk, view} = this.#conversation;
    const card = desk.card(runId, view);
    if (!card) return nothing;
    return html`<maya-run
      .card=${card}
      .press=${desk.press(runId)}
      .language=${this.#language}
      .skew=${this.#http.skew}
      .leftAlone=${desk.isLeftAlone(runId)}
      @press=${(event: CustomEvent<'confirm' | 'cancel'>) => void desk[event.detail](runId)}
    ></maya-run>`;
  }

  #renderActiveTurns(): TemplateResult[] {
    const {view, drafts, outbox} = this.#conversation;
    const {t} = this.#language;
    const turns = activeTurns(view);
    const shown = turns.map(([runId, turn]) => {
      const phase = phaseOf(runId, turn, view, drafts[runId]);
      const stop = (): void => void this.#conversation.stopTurn(runId).catch(() => undefined);
      return renderActive(phase, drafts[runId], this.#language, stop);
    });
    const isSending = outbox.messages.some(
      ({state, run_id}) => state === 'sending' && !view.turns[run_id ?? ''],
    );
    if (isSending) shown.push(renderActive('phase.sending', undefined, this.#language, null));
    const [first] = turns;
    this.#announcer.wait(first ? t(phaseOf(first[0], first[1], view)) : null);
    return shown;
  }

  #cards(): RunCard[] {
    const {desk, view} = this.#conversation;
    return Object.keys(view.proposals)
      .filter((runId) => desk.isShown(runId, view))
      .map((runId) => desk.card(runId, view))
      .filter((card) => card !== null);
  }

  #send(text: string): void {
    this.#follower.atEnd = true;
    this.#conversation.outbox.send(text);
  }

  #jump(): void {
    if (!this.#pane) return;
    this.#follower.toEnd(this.#pane);
    this.#pane.focus();
  }

  get #composer(): Composer | null {
    return this.querySelector('maya-composer');
  }

  #pressed = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.settings.isFramed) this.#guest.close();
  };

  get #pane(): HTMLElement | null {
    return this.querySelector('.pane');
  }
}

customElements.define('maya-chat', Chat);
