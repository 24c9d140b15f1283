import {describe, expect, it} from 'vitest';

import {isEnvelope} from '../src/events.ts';
import {foldAll} from '../src/fold.ts';
import {Memory} from '../src/memory.ts';
import {readHistory} from './histories.ts';

const events = readHistory('refund.json').events.filter(isEnvelope);
const at = (position: number) => events[position - 1]!;

describe('Memory', () => {
  it('says once that something is missing, and then that all is there', () => {
    const memory = new Memory();
    expect(memory.receive(at(1))).toBe('complete');
    expect(memory.receive(at(4))).toBe('missing');
    expect(memory.receive(at(4))).toBe('waiting');
    expect(memory.receive(at(2))).toBe('waiting');
    expect(memory.receive(at(3))).toBe('waiting');
    expect(memory.receive(at(4))).toBe('complete');
    expect(memory.view).toEqual(foldAll(events.slice(0, 4)));
  });

  it('shows hints beyond its cursor until the full facts come', () => {
    const memory = new Memory();
    memory.receive(at(1));
    const hint = {...at(8), payload: {text: '¿Está el paquete sin abrir?'}};
    expect(memory.hint(hint)).toBe(true);
    expect(memory.hint(hint)).toBe(false);
    expect([memory.cursor, memory.last]).toEqual([1, 8]);
    expect(memory.view.messages[1]?.sources).toEqual([]);
    for (const event of events) memory.receive(event);
    expect(memory.view).toEqual(foldAll(events));
    expect(memory.hint(hint)).toBe(false);
  });

  it('takes hints in any order, and drops the draft that one completes', () => {
    const memory = new Memory();
    const {run_id} = at(8);
    memory.hint({type: 'delta', run_id, attempt: 1, offset: 0, text: '¿Está'});
    expect(memory.drafts[run_id]?.text).toBe('¿Está');
    memory.hint(at(9));
    memory.hint(at(8));
    expect(memory.drafts).toEqual({});
    expect(memory.view.status).toBe('done');
  });

  it('takes a snapshot from wherever it comes, and forgets', () => {
    const memory = new Memory();
    const payload = JSON.parse(JSON.stringify(foldAll(events)));
    memory.hint({...at(19), type: 'snapshot', payload});
    expect(memory.view).toEqual(foldAll(events));
    memory.forget();
    expect([memory.cursor, memory.view.messages.length]).toEqual([0, 0]);
  });
});
