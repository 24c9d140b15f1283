/** A conversation's log in memory: dense positions, and readers told of what is new. */

import {randomUUID} from 'node:crypto';

export class Log {
  id = randomUUID();
  events = [];
  #seqs = new Map();
  #readers = new Set();

  get position() {
    return this.events.length;
  }

  append(runId, type, payload) {
    const seq = (this.#seqs.get(runId) ?? 0) + 1;
    this.#seqs.set(runId, seq);
    const event = {
      id: `${runId}:${seq}`,
      run_id: runId,
      seq,
      position: this.events.length + 1,
      type,
      payload,
      created: new Date().toISOString(),
    };
    this.events.push(event);
    this.#tell(event);
    return event;
  }

  /** Tells readers something that is not kept. */
  provisional(frame) {
    this.#tell(frame);
  }

  after(position) {
    return this.events.slice(position);
  }

  read(reader) {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  #tell(frame) {
    for (const reader of this.#readers) reader(frame);
  }
}
