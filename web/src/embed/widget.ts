/**
 * The script that a site's page names: a button that opens the chat in a frame.
 *
 * Until somebody opens the chat nothing else is loaded. It adds one element to the page,
 * one name (`Maya`), no cookie, and no markup or inline style that a policy could mind.
 */

import {drawing, inkOn, LOOK} from './look.ts';
import {readOptions, wordsFor} from './options.ts';
import type {Options, Words} from './options.ts';
import type {Events, FromFrame, Hello, MayaWidget, ToFrame} from './protocol.ts';

type Identity = Parameters<MayaWidget['identify']>[0];
type Listener = (detail: never) => void;

/** A site that does not say in time who this is gets a chat for strangers. */
const IDENTITY_LIMIT = 5_000;

class Widget implements MayaWidget {
  readonly #place = document.createElement('div');
  readonly #launcher = element('button', 'launcher');
  readonly #count = element('span', 'count');
  readonly #greeting = element('div', 'greeting');
  readonly #words: Words;
  readonly #listeners = new Map<string, Set<Listener>>();
  #frame: HTMLIFrameElement | null = null;
  #port: MessagePort | null = null;
  #identity: Identity | null = null;
  #isOpen = false;
  #mustSignOut = false;

  constructor(private readonly options: Options) {
    this.#words = wordsFor(options.lang);
    this.#draw();
  }

  open(): void {
    if (this.#isOpen) return;
    this.#frame ??= this.#load();
    this.#show(true);
    this.#send({type: 'open'});
    this.#frame.focus();
  }

  close(): void {
    if (!this.#isOpen) return;
    const hadFocus = this.#frame !== null && this.#shadow.activeElement === this.#frame;
    this.#show(false);
    this.#send({type: 'close'});
    if (hadFocus) this.#launcher.focus();
  }

  identify(identity: Identity): void {
    this.#identity = identity;
    void this.#answerIdentity();
  }

  signOut(): void {
    this.#identity = null;
    // Whoever was signed in may have left a session that only the frame can reach.
    this.#frame ??= this.#load();
    if (this.#port) this.#send({type: 'signOut'});
    else this.#mustSignOut = true;
  }

  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  get #shadow(): ShadowRoot {
    return this.#place.shadowRoot!;
  }

  #draw(): void {
    const {colour, side, greeting} = this.options;
    const shadow = this.#place.attachShadow({mode: 'open'});
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${LOOK}:host { --accent: ${colour}; --ink: ${inkOn(colour)}; }`);
    shadow.adoptedStyleSheets = [sheet];
    this.#place.setAttribute('side', side);
    this.#launcher.addEventListener('click', () => (this.#isOpen ? this.close() : this.open()));
    this.#drawGreeting(greeting);
    shadow.append(this.#greeting, this.#launcher);
    this.#show(false);
    if (document.body) document.body.append(this.#place);
    else addEventListener('DOMContentLoaded', () => document.body.append(this.#place));
  }

  #drawGreeting(text: string): void {
    const say = element('button', 'say');
    const shut = element('button', 'shut');
    say.textContent = text;
    say.addEventListener('click', () => this.open());
    shut.setAttribute('aria-label', this.#words.shut);
    shut.append(drawing('cross'));
    shut.addEventListener('click', () => this.#greeting.remove());
    if (text) this.#greeting.append(say, shut);
  }

  #show(isOpen: boolean): void {
    const {open, close} = this.#words;
    this.#isOpen = isOpen;
    this.#place.toggleAttribute('open', isOpen);
    this.#launcher.setAttribute('aria-label', isOpen ? close : open);
    this.#launcher.setAttribute('aria-expanded', String(isOpen));
    this.#launcher.replaceChildren(drawing(isOpen ? 'cross' : 'chat'), this.#count);
    this.#greeting.hidden = isOpen || !this.#greeting.childElementCount;
    if (isOpen) this.#greeting.remove();
    if (this.#frame) this.#frame.hidden = !isOpen;
    this.#say(0);
  }

  /** How many answers came while nobody looked. */
  #say(unread: number): void {
    this.#count.hidden = unread === 0;
    this.#count.textContent = String(unread);
  }

  #load(): HTMLIFrameElement {
    const {origin, site, lang} = this.options;
    const frame = document.createElement('iframe');
    frame.title = this.#words.chat;
    frame.allow = 'clipboard-write';
    frame.referrerPolicy = 'origin';
    frame.hidden = true;
    frame.addEventListener('load', () => void this.#greet(frame));
    frame.src = `${origin}/widget/${encodeURIComponent(site)}/${lang && `?lang=${lang}`}`;
    this.#shadow.prepend(frame);
    return frame;
  }

  /** The frame's script is there: give it a line of its own, and say who this is. */
  async #greet(frame: HTMLIFrameElement): Promise<void> {
    const {port1, port2} = new MessageChannel();
    const identity = await this.#askSite();
    const hello: Hello = {maya: 'hello', identity, signOut: this.#mustSignOut};
    this.#mustSignOut = false;
    this.#port = port1;
    port1.onmessage = ({data}) => this.#receive(data as FromFrame);
    frame.contentWindow?.postMessage(hello, this.options.origin, [port2]);
    this.#send({type: this.#isOpen ? 'open' : 'close'});
  }

  async #answerIdentity(): Promise<void> {
    if (this.#port) this.#send({type: 'identify', identity: await this.#askSite()});
  }

  /** A site that fails to answer has not said who this is; it is told in the console. */
  async #askSite(): Promise<string | null> {
    const identity = this.#identity;
    if (typeof identity !== 'function') return identity;
    const late = new Promise<null>((resolve) => setTimeout(resolve, IDENTITY_LIMIT, null));
    try {
      return await Promise.race([identity(), late]);
    } catch (error) {
      console.warn('Maya: the site did not say who the visitor is.', error);
      return null;
    }
  }

  #receive(message: FromFrame): void {
    if (message.type === 'close') this.close();
    else if (message.type === 'identify') void this.#answerIdentity();
    else if (message.type === 'event') {
      const {name, detail} = message;
      if (name === 'unread') this.#say(detail.count);
      for (const listener of this.#listeners.get(name) ?? []) listener(detail as never);
    }
  }

  #send(message: ToFrame): void {
    this.#port?.postMessage(message);
  }
}

function element<Name extends 'button' | 'div' | 'span'>(
  name: Name,
  look: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = look;
  if (made instanceof HTMLButtonElement) made.type = 'button';
  return made;
}

function start(script: HTMLScriptElement): void {
  const options = readOptions(script);
  if (options.site) window.Maya ??= new Widget(options);
  else console.warn('Maya: the script needs data-site.');
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) start(script);
