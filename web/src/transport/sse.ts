/** Reads a conversation over Server-Sent Events by fetch, which can carry a header. */

import {isEnvelope, isProvisional} from '../events.ts';
import {linesOf} from '../lines.ts';
import {SILENCE_LIMIT, watchdog} from './channel.ts';
import type {OpenChannel} from './channel.ts';
import {asProblem} from './http.ts';
import type {Http, Problem} from './http.ts';

export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** Returns an opener for `/api/conversations/{id}/events`. */
export function sseChannel(conversation: string, http: Http): OpenChannel {
  return (after, handlers) => {
    const abort = new AbortController();
    const dog = watchdog(() => end(null), SILENCE_LIMIT);
    let ended = false;
    void read();

    async function read(): Promise<void> {
      const path = `/api/conversations/${conversation}/events?after=${after}`;
      try {
        const body = await http.stream('GET', path, {
          accept: 'text/event-stream',
          signal: abort.signal,
        });
        if (ended) return;
        handlers.opened();
        for await (const event of eventsOf(noted(linesOf(body)))) receive(event);
        end(null);
      } catch (error) {
        end(asProblem(error));
      }
    }

    async function* noted(lines: AsyncIterable<string>): AsyncGenerator<string> {
      for await (const line of lines) {
        dog.pet();
        yield line;
      }
    }

    function receive({event, data}: ServerEvent): void {
      if (ended) return;
      const frame = parse(data, event);
      if (isEnvelope(frame) || isProvisional(frame)) handlers.frame(frame);
    }

    function stop(): boolean {
      if (ended) return false;
      ended = true;
      dog.stop();
      abort.abort();
      return true;
    }

    function end(problem: Problem | null): void {
      if (stop()) handlers.closed(problem);
    }

    return {close: () => void stop()};
  };
}

/** Yields the events of a stream's lines, as the HTML standard parses them. */
export async function* eventsOf(
  lines: AsyncIterable<string>,
): AsyncGenerator<ServerEvent, void, undefined> {
  let id = '';
  let event = 'message';
  let data: string[] = [];
  for await (const line of lines) {
    if (line === '') {
      if (data.length) yield {id, event, data: data.join('\n')};
      event = 'message';
      data = [];
      continue;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'id') id = value ?? '';
    else if (field === 'event') event = value ?? '';
    else if (field === 'data') data.push(value ?? '');
  }
}

/** A frame names its type itself; where it does not, the event's name says it. */
function parse(data: string, event: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? {type: event, ...value} : null;
  } catch {
    return null;
  }
}
