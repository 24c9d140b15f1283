import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';

import {isEnvelope} from '../src/events.ts';
import {foldAll} from '../src/fold.ts';
import {languageFor} from '../src/strings/index.ts';
import {Announcer} from '../src/view/announcer.ts';
import {readHistory} from './histories.ts';
import {cardOf} from './receipts.ts';

const events = readHistory('refund.json').events.filter(isEnvelope);
const until = (position: number) => foldAll(events.slice(0, position));

function announcer() {
  const told: string[] = [];
  const made = new Announcer(languageFor('es', '', []), (text) => {
    if (text) told.push(text);
  });
  return {announcer: made, told};
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Announcer', () => {
  it('is silent about a history that is read back', () => {
    const {announcer: made, told} = announcer();
    made.note(until(19), [cardOf('done')]);
    made.listen(until(19));
    made.note(until(19), [cardOf('done')]);
    vi.runAllTimers();
    expect(told).toEqual([]);
  });

  it('tells an answer once, when it is complete', () => {
    const {announcer: made, told} = announcer();
    made.listen(until(0));
    for (let position = 1; position <= 9; position++) made.note(until(position), []);
    vi.runAllTimers();
    made.note(until(9), []);
    vi.runAllTimers();
    expect(told).toEqual(['¿Está el paquete sin abrir?']);
  });

  it('tells a proposal and each new state of its receipt, in one breath with the rest', () => {
    const {announcer: made, told} = announcer();
    made.listen(until(9));
    made.note(until(13), [cardOf('requested')]);
    vi.runAllTimers();
    made.note(until(13), [cardOf('queued')]);
    made.note(until(13), [cardOf('running')]);
    made.note(until(13), [cardOf('done')]);
    vi.runAllTimers();
    expect(told).toEqual([
      'Nueva propuesta: Reembolsar el pedido 4821. Revísala y confirma o cancela. ' +
        'Te propongo el reembolso.',
      'Reembolsar el pedido 4821: En ejecución. Reembolsar el pedido 4821: Completado.',
    ]);
  });

  it('tells a wait only where it is long, and only once', () => {
    const {announcer: made, told} = announcer();
    made.listen(until(0));
    made.wait('Pensando…');
    vi.advanceTimersByTime(1000);
    made.wait(null);
    vi.runAllTimers();
    expect(told).toEqual([]);
    made.wait('Pensando…');
    made.wait('Consultando…');
    vi.runAllTimers();
    made.wait('Escribiendo…');
    vi.runAllTimers();
    expect(told).toEqual(['Pensando…']);
  });
});
