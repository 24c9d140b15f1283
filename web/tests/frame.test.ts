// @vitest-environment happy-dom
import {afterEach, describe, expect, it, vi} from 'vitest';

import {Frame} from '../src/embed/frame.ts';
import {inkOn} from '../src/embed/look.ts';

const SHOP = 'https://tienda.example';
const HELLO = {maya: 'hello', identity: 'jwt', signOut: false};
const page = {} as Window;

function framed() {
  vi.stubGlobal('parent', page);
  const handlers = {open: vi.fn(), close: vi.fn(), identify: vi.fn(), signOut: vi.fn()};
  return {frame: new Frame([SHOP], handlers), handlers};
}

function port() {
  return {postMessage: vi.fn(), close: vi.fn(), onmessage: null as unknown};
}

function speak(data: unknown, from: {origin?: string; source?: unknown}, line = port()) {
  const event = new Event('message');
  const {origin = SHOP, source = page} = from;
  Object.assign(event, {data, origin, source, ports: [line]});
  dispatchEvent(event);
  return line;
}

afterEach(() => void vi.unstubAllGlobals());

describe('a frame', () => {
  it('takes a first message from a page of the site, and from no other', async () => {
    const {frame} = framed();
    const heard = vi.fn();
    void frame.hello().then(heard);
    speak(HELLO, {origin: 'https://otro.example'});
    speak(HELLO, {source: {}});
    speak({maya: 'other'}, {});
    speak('hello', {});
    await Promise.resolve();
    expect(heard).not.toHaveBeenCalled();
    speak(HELLO, {});
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(HELLO));
  });

  it('does what the page says over its line, and nothing else', async () => {
    const {frame, handlers} = framed();
    void frame.hello();
    const line = speak(HELLO, {});
    const say = line.onmessage as (event: {data: unknown}) => void;
    say({data: {type: 'identify', identity: 'another'}});
    say({data: {type: 'signOut'}});
    say({data: {type: 'confirm', run: 'r'}});
    expect(handlers.identify).toHaveBeenCalledWith('another');
    expect(handlers.signOut).toHaveBeenCalledOnce();
    expect(handlers.open).not.toHaveBeenCalled();
  });

  it('tells each event once, and anew to a page that comes again', () => {
    const {frame} = framed();
    void frame.hello();
    const line = speak(HELLO, {});
    frame.tell('unread', {count: 1});
    frame.tell('unread', {count: 1});
    frame.tell('unread', {count: 2});
    expect(line.postMessage).toHaveBeenCalledTimes(2);
    const next = speak(HELLO, {});
    frame.tell('unread', {count: 2});
    expect(line.close).toHaveBeenCalled();
    expect(next.postMessage).toHaveBeenCalledTimes(1);
  });

  it('does not wait where nobody frames it', async () => {
    const frame = new Frame([], {} as never);
    vi.stubGlobal('parent', window);
    expect(await frame.hello()).toEqual({identity: null, signOut: false});
  });
});

describe('inkOn', () => {
  it.each([
    ['#000000', '#fff'],
    ['#0d5f4a', '#fff'],
    ['#7a3b10', '#fff'],
    ['#ffcc00', '#000'],
    ['#ffffff', '#000'],
  ])('on %s writes in %s', (colour, ink) => expect(inkOn(colour)).toBe(ink));
});
