/** What a transport of events looks like to the connection that opens it. */

import type {Frame} from '../events.ts';
import type {Problem} from './http.ts';

export interface ChannelHandlers {
  /** The server accepted the reader. */
  opened(): void;
  frame(frame: Frame): void;
  /** Said once, whoever closed; a problem where the server gave a reason. */
  closed(problem: Problem | null): void;
  /** Where to acknowledge up to. */
  cursor(): number;
}

export interface Channel {
  /** Closes without saying `closed`. */
  close(): void;
}

export type OpenChannel = (after: number, handlers: ChannelHandlers) => Channel;

/** Silence longer than this means a dead wire: heartbeats come more often. */
export const SILENCE_LIMIT = 60_000;

/** Calls `bark` when `pet` was not called for a while. */
export function watchdog(bark: () => void, limit: number): {pet(): void; stop(): void} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const pet = (): void => {
    stop();
    timer = setTimeout(bark, limit);
  };
  pet();
  return {pet, stop};
}
