/** Reads a conversation over a WebSocket. */

import {isEnvelope, isProvisional} from '../events.ts';
import {SILENCE_LIMIT, watchdog} from './channel.ts';
import type {OpenChannel} from './channel.ts';
import {Problem} from './http.ts';

/** A proxy that swallows upgrades leaves the socket hanging: give up after this long. */
const OPEN_LIMIT = 6_000;
/** A close code of ours is this plus the HTTP status of what was refused. */
const PRIVATE_CODES = 4000;
/** Acknowledgements are gathered: one for a burst of events. */
const ACK_DELAY = 200;

/** Returns an opener for `/ws/conversations/{id}`; the token goes in the first message. */
export function socketChannel(
  conversation: string,
  token: () => string | null,
  create: (url: string) => WebSocket = (url) => new WebSocket(url),
): OpenChannel {
  return (after, handlers) => {
    let problem: Problem | null = null;
    let opened = false;
    let ended = false;
    let acked = after;
    let ackTimer: ReturnType<typeof setTimeout> | undefined;
    const socket = create(socketUrl(conversation));
    let dog = watchdog(end, OPEN_LIMIT);

    socket.addEventListener('open', () => {
      const bearer = token();
      send({type: 'open', after, ...(bearer ? {token: bearer} : {})});
    });
    socket.addEventListener('message', ({data}) => receive(String(data)));
    socket.addEventListener('close', ({code}) => {
      if (problem && code > PRIVATE_CODES) {
        problem = new Problem(problem.code, code - PRIVATE_CODES, problem.detail);
      }
      end();
    });

    function receive(data: string): void {
      if (ended) return;
      if (opened) dog.pet();
      const message = parse(data);
      if (message['type'] === 'opened') {
        opened = true;
        dog.stop();
        dog = watchdog(end, SILENCE_LIMIT);
        handlers.opened();
      } else if (message['type'] === 'error') {
        problem = new Problem(String(message['code']), 0, String(message['detail'] ?? ''));
      } else if (isEnvelope(message) || isProvisional(message)) {
        handlers.frame(message);
        ackLater();
      }
    }

    function ackLater(): void {
      ackTimer ??= setTimeout(() => {
        ackTimer = undefined;
        const position = handlers.cursor();
        if (position > acked) send({type: 'ack', position: (acked = position)});
      }, ACK_DELAY);
    }

    function send(message: object): void {
      if (socket.readyState === 1) socket.send(JSON.stringify(message));
    }

    function stop(): boolean {
      if (ended) return false;
      ended = true;
      dog.stop();
      clearTimeout(ackTimer);
      if (socket.readyState < 2) socket.close();
      return true;
    }

    function end(): void {
      if (stop()) handlers.closed(problem);
    }

    return {close: () => void stop()};
  };
}

function socketUrl(conversation: string): string {
  const url = new URL(`/ws/conversations/${conversation}`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

function parse(data: string): Record<string, unknown> {
  try {
    return JSON.parse(data) as Record<string, unknown>;
  } catch {
    return {};
  }
}
