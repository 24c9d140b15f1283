import {describe, expect, it} from 'vitest';

import {lackingSignIn, resumeId} from '../src/signin.ts';
import {EMPTY_VIEW} from '../src/view.ts';
import type {Message, Turn, View} from '../src/view.ts';

const turn = (position: number, more: Partial<Turn> = {}): Turn =>
  ({position, status: 'done', agent: null, reason: null, ...more});

const said = (run_id: string, author: Message['author'] = 'customer'): Message => ({
  id: `m-${run_id}-${author}`,
  run_id,
  position: 1,
  author,
  text: `of ${run_id}`,
  attempt: null,
  sources: [],
  created: null,
});

const view = (turns: View['turns'], messages: Message[] = []): View =>
  ({...EMPTY_VIEW, turns, messages});

const LACKING = {reason: 'sign_in_required'};

describe('lackingSignIn', () => {
  it('finds what the customer had asked for, under one id for all tabs', () => {
    const found = lackingSignIn(
      view({a: turn(1), b: turn(5, LACKING)}, [said('a'), said('b', 'agent'), said('b')]),
    );
    expect(found?.message?.text).toBe('of b');
    expect(found && resumeId(found)).toBe('signed-in-b');
  });

  it('finds nothing once another turn followed, whatever the order of keys', () => {
    expect(lackingSignIn(view({b: turn(5), a: turn(1, LACKING)}))).toBeNull();
    expect(lackingSignIn(view({}))).toBeNull();
  });

  it('waits for the turn to end, and minds no other reason', () => {
    expect(lackingSignIn(view({a: turn(1, {...LACKING, status: 'answering'})}))).toBeNull();
    expect(lackingSignIn(view({a: turn(1, {reason: 'budget'})}))).toBeNull();
  });

  it('has nothing to ask again where something was pressed', () => {
    expect(lackingSignIn(view({a: turn(1, LACKING)}))).toEqual({runId: 'a', message: null});
  });
});
