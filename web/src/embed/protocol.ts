/**
 * What a page of the site and the chat in its frame say to each other.
 *
 * The page's script hands the frame one end of a `MessageChannel`, in a message whose
 * origin the frame checks; from then on nobody else can listen or speak.
 */

/** The first message, with the port: who the visitor is, if the site says so. */
export interface Hello {
  maya: 'hello';
  identity: string | null;
  /** Whoever left a session here signed out meanwhile. */
  signOut: boolean;
}

/** What the page says to the frame. */
export type ToFrame =
  | {type: 'open'}
  | {type: 'close'}
  /** `null`: the site does not know who this is (any more, or for now). */
  | {type: 'identify'; identity: string | null}
  | {type: 'signOut'};

/** What happened in the chat, for the page to react to. None of it is what was said. */
export interface Events {
  open: Record<string, never>;
  close: Record<string, never>;
  /** Answers that came while the chat was closed. */
  unread: {count: number};
  /** Who the chat speaks with: `null` is somebody who did not sign in. */
  customer: {id: string | null};
  /** What was asked for needs somebody who signed in. */
  signInRequired: Record<string, never>;
  /** A change and where it stands; only `done` means done. */
  receipt: {run_id: string; action: string; state: string; final: boolean};
}

/** What the frame says to the page's script. */
export type FromFrame =
  | {type: 'close'}
  /** The signed identity ran out, or is needed now: ask the site for another. */
  | {type: 'identify'}
  | {[Name in keyof Events]: {type: 'event'; name: Name; detail: Events[Name]}}[keyof Events];

export function isHello(data: unknown): data is Hello {
  return typeof data === 'object' && data !== null && (data as Hello).maya === 'hello';
}

/** The one global name that a page gets. */
export interface MayaWidget {
  open(): void;
  close(): void;
  /**
   * Says who the visitor is: a signed identity (JWT), or a function that fetches one.
   *
   * A function is better: an identity lives for minutes, and the chat asks again when it
   * needs one. It returns `null` for somebody who is not signed in.
   */
  identify(identity: string | (() => Promise<string | null> | string | null)): void;
  /** Ends the session of whoever was signed in, and their conversation. */
  signOut(): void;
  /** Calls back at each event; returns how to stop that. */
  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => void): () => void;
}

declare global {
  interface Window {
    Maya?: MayaWidget;
  }
}
