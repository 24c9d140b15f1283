import {describe, expect, it} from 'vitest';

import {isEnvelope} from '../src/events.ts';
import {EMPTY_FEED, take} from '../src/feed.ts';
import {fold, foldAll, overlay} from '../src/fold.ts';
import {EMPTY_VIEW} from '../src/view.ts';
import {readHistories, readHistory} from './histories.ts';

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

describe('histories', () => {
  it.each(readHistories())('%s folds to its view', (_file, history) => {
    const feed = history.events.reduce(take, EMPTY_FEED);
    expect(feed).toEqual({view: history.view, drafts: history.drafts});
  });

  it.each(readHistories())('%s gives the same view a hundred times', (_file, history) => {
    let feed = EMPTY_FEED;
    for (let i = 0; i < 100; i++) feed = history.events.reduce(take, feed);
    const durable = history.events.filter(isEnvelope);
    expect(foldAll(durable, feed.view)).toEqual(feed.view);
    expect(feed.view).toEqual(history.view);
  });

  it.each(readHistories())('%s is folded without touching its input', (_file, history) => {
    const feed = frozen(history.events).reduce(
      (before, frame) => frozen(take(before, frame)),
      frozen(EMPTY_FEED),
    );
    expect(feed.view).toEqual(history.view);
  });
});

describe('fold', () => {
  const events = readHistory('refund.json').events.filter(isEnvelope);

  it('gives the same view wherever the connection is cut and however much repeats', () => {
    const whole = foldAll(events);
    for (let cut = 0; cut <= events.length; cut++) {
      const before = foldAll(events.slice(0, cut));
      const repeated = events.slice(Math.max(0, before.cursor - 2));
      expect(foldAll(repeated, before)).toEqual(whole);
    }
  });

  it('returns the same object for an event it knows', () => {
    const view = foldAll(events);
    expect(fold(view, events[4]!)).toBe(view);
  });

  it('asks again from the last position it has, and applies nothing beyond', () => {
    const view = foldAll([events[0]!, events[1]!, events[7]!]);
    expect(view.gap).toEqual({after: 2, seen: 8});
    expect(view.messages).toHaveLength(1);
  });

  it('keeps the gap until everything seen has come', () => {
    const gapped = foldAll([events[0]!, events[7]!]);
    const nearer = foldAll(events.slice(1, 4), gapped);
    expect(nearer.gap).toEqual({after: 4, seen: 8});
    expect(foldAll(events.slice(4, 8), nearer).gap).toBeNull();
  });

  it('ignores a snapshot older than its cursor', () => {
    const view = foldAll(events);
    const snapshot = {...events[0]!, type: 'snapshot', position: 3, payload: {}};
    expect(fold(view, snapshot)).toBe(view);
  });

  it('closes a gap with a snapshot that reaches beyond it', () => {
    const gapped = foldAll([events[0]!, events[7]!]);
    const snapshot = {...events[0]!, type: 'snapshot', position: 19, payload: {status: 'done'}};
    const view = fold(gapped, snapshot);
    expect(view).toEqual({...EMPTY_VIEW, cursor: 19, status: 'done'});
  });
});

describe('overlay', () => {
  const events = readHistory('refund.json').events.filter(isEnvelope);

  it('lays facts of a lossy transport over the view without moving the cursor', () => {
    const view = foldAll(events.slice(0, 2));
    const shown = overlay(view, [events[7]!, events[8]!]);
    expect(shown.messages.map((message) => message.id)).toEqual(['m-1', 'm-2']);
    expect(shown.status).toBe('done');
    expect(shown.cursor).toBe(2);
  });

  it('gives way to the full events', () => {
    const hint = {...events[7]!, payload: {text: 'sin fuentes'}};
    const shown = overlay(foldAll(events.slice(0, 8)), [hint]);
    expect(shown.messages[1]?.sources).toHaveLength(1);
    expect(shown.messages).toHaveLength(2);
  });
});
