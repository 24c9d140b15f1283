// @vitest-environment happy-dom
import {describe, expect, it} from 'vitest';

import {drawn, event, stage, text} from './dom.ts';
import type {Stage} from './dom.ts';

describe('a slider', () => {
  const slider = {
    id: 'root',
    component: 'Slider',
    label: 'Plazo',
    min: 12,
    max: 36,
    step: 6,
    value: {path: '/plazo'},
    action: event('simular', {plazo: {path: '/plazo'}}),
  };

  function moved(input: HTMLInputElement, value: number): void {
    input.value = String(value);
    input.dispatchEvent(new Event('input', {bubbles: true}));
  }

  it('has its name and its value in words, and writes while it moves', async () => {
    const made = await stage([slider], {plazo: 18});
    const input = made.find<HTMLInputElement>('input');
    expect(made.find<HTMLLabelElement>('label').htmlFor).toBe(input.id);
    moved(input, 24);
    await drawn();
    expect(made.model.get('/plazo')).toBe(24);
    expect(input.getAttribute('aria-valuetext')).toBe('24');
    expect(made.sent).toEqual([]);
  });

  it('sends one action when the pointer lets go, and none where it did not move', async () => {
    const made = await stage([slider], {plazo: 18});
    const input = made.find<HTMLInputElement>('input');
    moved(input, 24);
    moved(input, 30);
    input.dispatchEvent(new Event('change'));
    input.dispatchEvent(new Event('blur'));
    expect(made.sent.map(({context}) => context)).toEqual([{plazo: 30}]);
  });

  it('sends one action when a held key is let go', async () => {
    const made = await stage([slider], {plazo: 12});
    const input = made.find<HTMLInputElement>('input');
    for (const value of [18, 24, 30]) {
      input.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));
      moved(input, value);
      input.dispatchEvent(new Event('change'));
    }
    expect(made.sent).toEqual([]);
    input.dispatchEvent(new KeyboardEvent('keyup', {key: 'ArrowRight'}));
    expect(made.sent.map(({context}) => context)).toEqual([{plazo: 30}]);
  });
});

describe('fields', () => {
  it('keep what is typed although no data is bound to them', async () => {
    const made = await stage([{id: 'root', component: 'TextField', label: 'Clave'}]);
    const input = made.find<HTMLInputElement>('input');
    input.value = 'abc';
    input.dispatchEvent(new Event('input'));
    await made.update({updateDataModel: {surfaceId: 's1', path: '/x', value: 1}});
    expect(input.value).toBe('abc');
  });

  it('say an error only after one has left them', async () => {
    const field = {component: 'TextField', label: 'Número', validationRegexp: '^[0-9]+$'};
    const made = await stage([{id: 'root', ...field, value: {path: '/n'}}], {n: 'x'});
    expect(made.element.querySelector('[role=alert]')).toBeNull();
    made.find('input').dispatchEvent(new Event('blur'));
    await drawn();
    const input = made.find('input');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    const described = input.getAttribute('aria-describedby') ?? '';
    expect(made.find(`#${described}`).textContent).toContain('formato');
  });

  it('choose one or several, as lists, and fire elegir_*', async () => {
    const options = ['a', 'b', 'c'].map((value) => ({label: value, value}));
    const picker = {id: 'root', component: 'ChoicePicker', label: 'Plan', options};
    const action = event('elegir_plan', {plan: {path: '/plan'}});
    const one = await stage([{...picker, value: {path: '/plan'}, action}], {plan: ['a']});
    expect(one.find('fieldset legend').textContent).toContain('Plan');
    one.find<HTMLInputElement>('label:nth-child(2) input').click();
    await drawn();
    expect(one.model.get('/plan')).toEqual(['b']);
    expect(one.sent.map(({name, context}) => [name, context])).toEqual([
      ['elegir_plan', {plan: ['b']}],
    ]);
    const variant = 'multipleSelection';
    const many = await stage([{...picker, variant, value: {path: '/plan'}}], {plan: ['a']});
    many.find<HTMLInputElement>('label:nth-child(3) input').click();
    await drawn();
    expect(many.model.get('/plan')).toEqual(['a', 'c']);
  });
});

describe('tabs', () => {
  const tabs = {
    id: 'root',
    component: 'Tabs',
    tabs: [
      {title: 'Simular', child: 'a'},
      {title: 'Comparar años', child: 'b'},
    ],
  };
  const panels = [text('a', 'A'), text('b', 'B')];
  const open = (made: Stage): string[] =>
    [...made.element.querySelectorAll('[role=tab]')].map((tab) => String(tab.getAttribute('aria-selected')));

  it('open by arrow keys, in a circle, and one stop of the tab key', async () => {
    const made = await stage([tabs, ...panels]);
    const list = made.find('[role=tablist]');
    const press = async (key: string): Promise<void> => {
      list.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
      await drawn();
    };
    await press('ArrowLeft');
    expect(open(made)).toEqual(['false', 'true']);
    await press('ArrowRight');
    expect(open(made)).toEqual(['true', 'false']);
    await press('End');
    const stops = [...made.element.querySelectorAll<HTMLElement>('[role=tab]')];
    expect(stops.map((tab) => tab.tabIndex)).toEqual([-1, 0]);
    expect(made.find('[role=tabpanel]:not([hidden])').textContent).toContain('B');
  });

  it('follow the data that they are bound to, and write to it', async () => {
    const made = await stage([{...tabs, activa: {path: '/ui/t'}}, ...panels], {ui: {t: 1}});
    expect(open(made)).toEqual(['false', 'true']);
    made.find('[role=tab]').click();
    await drawn();
    expect(made.model.get('/ui/t')).toBe(0);
    await made.update({updateDataModel: {surfaceId: 's1', path: '/ui/t', value: 9}});
    expect(open(made)).toEqual(['false', 'true']);
  });

  it('open for a ver_* of their name, from anywhere in the surface', async () => {
    const made = await stage([
      {id: 'root', component: 'Column', children: ['tabs', 'go']},
      {...tabs, id: 'tabs'},
      ...panels,
      {id: 'go', component: 'Button', child: 'got', action: event('ver_comparar_anos')},
      text('got', 'Comparar'),
    ]);
    made.find('maya-a2-button button').click();
    await drawn();
    expect(open(made)).toEqual(['false', 'true']);
    expect(made.sent).toEqual([]);
  });
});
