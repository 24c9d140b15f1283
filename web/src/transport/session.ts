/** Opens and ends a visitor's session, which every other request carries. */

import {forget, recallHere, keepHere} from '../keep.ts';
import {asProblem} from './http.ts';
import type {Http} from './http.ts';

export interface Session {
  visitor: string;
  customer: {id: string; name: string | null} | null;
  /** The latest open conversation, to continue it on return. */
  conversation: string | null;
}

/** A signed identity that does not hold opens a stranger's session. */
const REFUSED = 'identity_refused';

/**
 * The session of a page, or of a frame, which gets no cookie: it keeps a token of its own
 * in storage that other sites' pages cannot see, and never puts it into an address.
 */
export class Sessions {
  constructor(
    private readonly http: Http,
    private readonly site: string,
    private readonly isFramed: boolean,
  ) {
    if (isFramed) http.token = recallHere(this.#shelf);
  }

  /** Opens the session, or keeps the one there is; `identity` makes it a customer's. */
  async open(identity: string | null = null): Promise<Session> {
    try {
      return await this.#ask(identity);
    } catch (error) {
      if (identity === null || asProblem(error).code !== REFUSED) throw error;
      return this.#ask(null);
    }
  }

  /** Ends the session and its conversations. */
  async end(): Promise<void> {
    await this.http.json('DELETE', `/api/sessions?sitio=${encodeURIComponent(this.site)}`);
    this.http.token = null;
    if (this.isFramed) forget(this.#shelf);
  }

  async #ask(identity: string | null): Promise<Session> {
    const {token, ...session} = await this.http.json<Session & {token?: string}>(
      'POST',
      '/api/sessions',
      {
        sitio: this.site,
        ...(identity === null ? {} : {identity}),
        ...(this.isFramed ? {bearer: true} : {}),
      },
    );
    if (token) {
      this.http.token = token;
      keepHere(this.#shelf, token);
    }
    return session;
  }

  get #shelf(): string {
    return `maya:token:${this.site}`;
  }
}
