/** Opens a visitor's session, which every other request then carries. */

import type {Http} from './http.ts';

export interface Session {
  visitor: string;
  customer: {id: string; name: string | null} | null;
  /** The latest open conversation, to continue it on return. */
  conversation: string | null;
}

/** Asks for the session of this site; with a valid cookie it is the same visitor again. */
export async function openSession(http: Http, site: string): Promise<Session> {
  const session = await http.json<Session & {token?: string}>('POST', '/api/sessions', {
    sitio: site,
  });
  if (session.token) http.token = session.token;
  return session;
}
