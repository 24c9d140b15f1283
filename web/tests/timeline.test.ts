import {describe, expect, it} from 'vitest';

import {isEnvelope} from '../src/events.ts';
import {foldAll} from '../src/fold.ts';
import type {Outgoing} from '../src/outbox.ts';
import {isBehindButton} from '../src/receipts/offers.ts';
import {activeTurns, timelineOf} from '../src/timeline.ts';
import {phaseOf, toolPhase} from '../src/view/phase.ts';
import {readHistory} from './histories.ts';
import {proposalOf} from './receipts.ts';

function viewOf(file: string, until = Infinity) {
  const events = readHistory(file).events.filter(isEnvelope);
  return foldAll(events.filter((event) => event.position <= until));
}

function outgoing(id: string, position: number | null): Outgoing {
  return {id, text: '', state: 'sending', run_id: null, position, problem: null};
}

describe('timelineOf', () => {
  it('puts messages, surfaces and proposals where they happened', () => {
    const kinds = (file: string) => timelineOf(viewOf(file), [], () => true).map((item) => item.kind);
    expect(kinds('refund.json')).toEqual(['message', 'message', 'message', 'run', 'message']);
    expect(kinds('bank.json')).toEqual(['message', 'surface', 'message']);
    expect(kinds('failed-turn.json')).toEqual(['message', 'ended']);
  });

  it('puts a message on its way last, and an accepted one at its turn', () => {
    const view = viewOf('refund.json');
    const sent = [outgoing('a', null), outgoing('b', null), outgoing('c', 9.5)];
    const keys = timelineOf(view, sent, () => true);
    expect(keys.map(({key}) => key)).toEqual([
      'p1',
      'p8',
      'oc',
      'p10',
      'rc5c1d94b-e88f-4bf6-8023-2dcd1e7ac67b',
      'p13',
      'oa',
      'ob',
    ]);
  });
});

describe('a proposal', () => {
  it('stands in the timeline only where it is shown', () => {
    const kinds = timelineOf(viewOf('refund.json'), [], () => false).map(({kind}) => kind);
    expect(kinds).not.toContain('run');
  });

  it('is behind its button until that is pressed', () => {
    const onSurface = {...proposalOf(), surface: 'a2ui'};
    expect(isBehindButton(onSurface, 'requested')).toBe(true);
    expect(isBehindButton(onSurface, 'cancelled')).toBe(true);
    expect(isBehindButton(onSurface, 'queued')).toBe(false);
    expect(isBehindButton(proposalOf(), 'requested')).toBe(false);
  });
});

describe('phases', () => {
  it('say what an active turn is doing, in words', () => {
    const phase = (until: number) => {
      const view = viewOf('refund.json', until);
      return activeTurns(view).map(([runId, turn]) => phaseOf(runId, turn, view));
    };
    expect(phase(2)).toEqual(['phase.thinking']);
    expect(phase(5)).toEqual(['phase.order']);
    expect(phase(6)).toEqual(['phase.tool']);
    expect(phase(7)).toEqual(['phase.answering']);
    expect(phase(9)).toEqual([]);
  });

  it.each([
    ['search_policy', 'phase.policy'],
    ['prepare_refund', 'phase.prepare'],
    ['change_cancel_order', 'phase.prepare'],
    ['panorama_inicial', 'phase.account'],
    ['simular_reestructura', 'phase.simulate'],
    ['lookup_weather', 'phase.tool'],
  ])('%s is %s', (tool, key) => expect(toolPhase(tool)).toBe(key));

  it('say what call is being written', () => {
    const view = viewOf('refund.json', 2);
    const [runId, turn] = activeTurns(view)[0]!;
    const draft = {attempt: 1, text: '', preparing: 'search_policy'};
    expect(phaseOf(runId, turn, view, draft)).toBe('phase.policy');
  });
});
