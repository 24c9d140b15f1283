/** The chat's part in a page that frames it: who comes, who leaves, and what it tells. */

import {Frame} from '../embed/frame.ts';
import type {Conversation} from '../conversation.ts';
import type {RunCard} from '../receipts/merge.ts';
import type {Settings} from '../settings.ts';
import {lackingSignIn, resumeId} from '../signin.ts';
import type {View} from '../view.ts';

export interface GuestHost {
  /** The page opened the chat: somebody looks at it now. */
  opened(): void;
  /** The visitor is another one: what was written belongs to somebody else. */
  left(): void;
}

export class Guest {
  readonly #frame: Frame;
  readonly #resumed = new Set<string>();
  #isOpen = false;
  /** Up to which position answers were seen. */
  #seen = 0;

  constructor(
    private readonly settings: Settings,
    private readonly conversation: Conversation,
    private readonly host: GuestHost,
  ) {
    this.#frame = new Frame(settings.origins, {
      open: () => this.#opened(true),
      close: () => this.#opened(false),
      identify: (identity) => void this.#enter(() => conversation.start(identity)),
      signOut: () => void this.#enter(() => conversation.signOut()),
    });
  }

  /** Opens the session: in a frame, once the page said who this is. */
  async start(): Promise<void> {
    if (!this.settings.isFramed) return this.conversation.start();
    const {identity, signOut} = await this.#frame.hello();
    if (signOut) await this.conversation.signOut();
    else await this.conversation.start(identity);
  }

  close(): void {
    this.#frame.close();
  }

  /** Asks the page to let the visitor sign in. */
  askSignIn(): void {
    this.#frame.tell('signInRequired', {}, String(Date.now()));
    this.#frame.askIdentity();
  }

  /** Tells the page what is new, and asks again what lacked a signed-in customer. */
  note(view: View, cards: RunCard[]): void {
    this.#resume(view);
    if (!this.settings.isFramed) return;
    const {session} = this.conversation;
    if (session) this.#frame.tell('customer', {id: session.customer?.id ?? null});
    for (const {run_id, action, state, final} of cards) {
      this.#frame.tell('receipt', {run_id, action, state, final}, run_id);
    }
    const answers = view.messages.filter(({author}) => author === 'agent');
    if (this.#isOpen) this.#seen = Math.max(this.#seen, answers.at(-1)?.position ?? 0);
    const count = answers.filter(({position}) => position > this.#seen).length;
    if (this.#seen) this.#frame.tell('unread', {count});
  }

  #resume(view: View): void {
    const lacking = lackingSignIn(view);
    if (!lacking || this.#resumed.has(lacking.runId)) return;
    if (!this.conversation.session?.customer) {
      if (this.settings.isFramed) this.#frame.tell('signInRequired', {}, lacking.runId);
    } else {
      this.#resumed.add(lacking.runId);
      const {message} = lacking;
      if (message) this.conversation.outbox.send(message.text, resumeId(lacking));
    }
  }

  #opened(isOpen: boolean): void {
    if (isOpen !== this.#isOpen) this.#frame.tell(isOpen ? 'open' : 'close', {}, String(Date.now()));
    this.#isOpen = isOpen;
    if (isOpen) this.host.opened();
  }

  async #enter(change: () => Promise<void>): Promise<void> {
    const before = this.conversation.session?.visitor;
    await change();
    if (before && before !== this.conversation.session?.visitor) {
      this.#seen = 0;
      this.host.left();
    }
  }
}
