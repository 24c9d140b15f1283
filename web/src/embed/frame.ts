/** The frame's side: learns from the page who the visitor is, and tells it what happens. */

import {isHello} from './protocol.ts';
import type {Events, FromFrame, Hello, ToFrame} from './protocol.ts';

export interface FrameHandlers {
  open(): void;
  close(): void;
  identify(identity: string | null): void;
  signOut(): void;
}

export class Frame {
  #port: MessagePort | null = null;
  readonly #told = new Map<string, string>();

  /** `origins` are the pages that may speak to this chat. */
  constructor(
    private readonly origins: readonly string[],
    private readonly handlers: FrameHandlers,
  ) {}

  /** Waits for the page's first message: who this is, and whether they signed out. */
  hello(): Promise<Pick<Hello, 'identity' | 'signOut'>> {
    // Nobody frames it: somebody opened its address.
    if (parent === window) return Promise.resolve({identity: null, signOut: false});
    return new Promise((resolve) => {
      addEventListener('message', ({data, origin, source, ports: [port]}) => {
        if (source !== parent || !this.#mayFrame(origin) || !isHello(data) || !port) return;
        this.#port?.close();
        this.#port = port;
        this.#told.clear();
        port.onmessage = ({data: message}) => this.#receive(message as ToFrame);
        resolve(data);
      });
    });
  }

  /** Tells an event; the same one twice in a row is told once. */
  tell<Name extends keyof Events>(name: Name, detail: Events[Name], about = ''): void {
    const key = `${name} ${about}`;
    const words = JSON.stringify(detail);
    if (this.#told.get(key) === words) return;
    this.#told.set(key, words);
    this.#send({type: 'event', name, detail} as FromFrame);
  }

  close(): void {
    this.#send({type: 'close'});
  }

  askIdentity(): void {
    this.#send({type: 'identify'});
  }

  #mayFrame(origin: string): boolean {
    return origin === location.origin || this.origins.includes(origin);
  }

  #receive(message: ToFrame): void {
    if (message.type === 'identify') this.handlers.identify(message.identity);
    else this.handlers[message.type]?.();
  }

  #send(message: FromFrame): void {
    this.#port?.postMessage(message);
  }
}
