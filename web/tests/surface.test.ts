// @vitest-environment happy-dom
import {beforeEach, describe, expect, it, vi} from 'vitest';

import {drawn, Stage} from './dom.ts';

const text = (id: string, value: unknown, more = {}) =>
  ({id, component: 'Text', text: value, ...more}) as never;
const button = (action: object, more = {}) =>
  ({id: 'root', component: 'Button', child: 't', action, ...more}) as never;
const event = (name: string, context: object = {}) => ({event: {name, context}});

async function stage(components: unknown[], data: unknown = {}): Promise<Stage> {
  const made = new Stage(components as never, data as never);
  await drawn();
  return made;
}

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));

describe('a surface', () => {
  it('shows its data and follows it, in the same elements', async () => {
    const made = await stage([text('root', {path: '/saldo'})], {saldo: 'uno'});
    const element = made.find('maya-a2-text');
    await made.update({updateDataModel: {surfaceId: 's1', path: '/saldo', value: 'dos'}});
    expect(element.textContent).toContain('dos');
    expect(made.find('maya-a2-text')).toBe(element);
  });

  it('draws a child that comes later, and another type in its place', async () => {
    const made = await stage([{id: 'root', component: 'Column', children: ['a']}]);
    expect(made.text).toBe('Panel interactivo');
    const components = [text('a', 'por fin')];
    await made.update({updateComponents: {surfaceId: 's1', components}});
    expect(made.text).toContain('por fin');
    const other = [{id: 'a', component: 'Divider'}];
    await made.update({updateComponents: {surfaceId: 's1', components: other}});
    expect(made.find('hr')).toBeTruthy();
    expect(made.text).not.toContain('por fin');
  });

  it('repeats a template for each item, each with its own data and action', async () => {
    const made = await stage(
      [
        {id: 'root', component: 'List', children: {componentId: 'b', path: '/pagos'}},
        {id: 'b', component: 'Button', child: 't', action: event('elegir', {n: {path: 'n'}})},
        text('t', {path: 'n'}),
      ],
      {pagos: [{n: 'luz'}, {n: 'agua'}]},
    );
    const buttons = made.element.querySelectorAll('button');
    expect([...buttons].map((item) => item.textContent?.trim())).toEqual(['luz', 'agua']);
    made.answering(() => new Promise(() => undefined));
    buttons[1]?.click();
    await drawn();
    expect(made.sent.map(({context}) => context)).toEqual([{n: 'agua'}]);
    const busy = [...buttons].map((item) => item.getAttribute('aria-busy'));
    expect(busy).toEqual([null, 'true']);
  });

  it('refuses what it does not know or will not load, and says so', async () => {
    const made = await stage([
      {id: 'root', component: 'Column', children: ['a', 'b', 'c', 'd', 'e']},
      {id: 'a', component: 'Holograma'},
      {id: 'b', component: 'Image', url: 'https://otro.example/foto.png'},
      {id: 'c', component: 'Video', url: '/v.mp4'},
      {id: 'd', component: 'AudioPlayer', url: '/a.mp3'},
      {id: 'e', component: 'Image', url: 'javascript:alert(1)'},
    ]);
    expect(made.element.querySelectorAll('.refusal').length).toBe(5);
    expect(made.text).toContain('«Holograma»');
    expect(made.text).toContain('otro.example');
    expect(made.element.querySelector('img, video, audio')).toBeNull();
  });

  it('shows an image of this site, with its text', async () => {
    const image = {component: 'Image', url: '/media/caja.png', description: 'Una caja'};
    const made = await stage([{id: 'root', ...image}]);
    const shown = made.find<HTMLImageElement>('img');
    expect([shown.alt, new URL(shown.src).origin]).toEqual(['Una caja', location.origin]);
  });

  it('survives a surface that contains itself, and a message that is none', async () => {
    const made = await stage([
      {id: 'root', component: 'Column', children: ['a', 'root']},
      text('a', 'una vez'),
    ]);
    expect(made.text.match(/una vez/g)).toHaveLength(1);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await made.update({updateDataModel: {surfaceId: 's1', data: {}}});
    expect(made.text).toContain('Una parte de este panel no se puede mostrar.');
    expect(made.text).toContain('una vez');
  });

  it('is not made anew by a second createSurface', async () => {
    const made = await stage([text('root', 'sigue')]);
    const catalogId = '/catalogo/v1.json';
    await made.update({createSurface: {surfaceId: 's1', catalogId}});
    expect(made.text).toBe('Panel interactivo sigue');
  });

  it('gives its headings levels that skip none', async () => {
    const made = await stage([
      {id: 'root', component: 'Column', children: ['a', 'b', 'c', 'd']},
      text('a', 'Uno', {variant: 'h4'}),
      text('b', 'Dos', {variant: 'h1'}),
      text('c', 'Tres', {variant: 'h3'}),
      text('d', 'Cuatro', {variant: 'h5'}),
    ]);
    const headings = [...made.element.querySelectorAll('[role=heading]')];
    expect(headings.map((heading) => heading.getAttribute('aria-level'))).toEqual(['3', '3', '4', '5']);
  });
});

describe('a button', () => {
  it('fires once while its action is under way, and says so', async () => {
    let finish = (): void => undefined;
    const action = event('pagar', {plazo: {path: '/plazo'}});
    const made = await stage([button(action), text('t', 'Pagar')], {plazo: 18});
    made.answering(() => new Promise((resolve) => (finish = () => resolve())));
    const shown = made.find<HTMLButtonElement>('button');
    shown.click();
    shown.click();
    await drawn();
    expect(made.sent.length).toBe(1);
    expect(made.sent[0]).toMatchObject({
      name: 'pagar',
      surfaceId: 's1',
      sourceComponentId: 'root',
      context: {plazo: 18},
    });
    expect(shown.getAttribute('aria-busy')).toBe('true');
    finish();
    await drawn();
    expect(shown.getAttribute('aria-busy')).toBeNull();
  });

  it('fires nothing while a check fails, and says what is missing once pressed', async () => {
    const condition = {call: 'required', args: {value: {path: '/m'}}, returnType: 'boolean'};
    const checks = [{condition, message: 'Falta el motivo.'}];
    const made = await stage([button(event('pagar'), {checks}), text('t', 'Pagar')], {m: ''});
    expect(made.element.querySelector('.field-error')).toBeNull();
    made.find('button').click();
    await drawn();
    expect(made.find('.field-error').textContent).toContain('Falta el motivo.');
    expect(made.sent).toEqual([]);
    await made.update({updateDataModel: {surfaceId: 's1', path: '/m', value: 'sí'}});
    made.find('button').click();
    expect(made.sent.length).toBe(1);
  });

  it('never sends ver_*, which writes where its context says', async () => {
    const made = await stage([button(event('ver_datos', {'/ui/x': 2})), text('t', 'Ver')]);
    made.find('button').click();
    expect(made.sent).toEqual([]);
    expect(made.model.get('/ui/x')).toBe(2);
  });

  it('opens only https addresses', async () => {
    const open = vi.spyOn(window, 'open').mockImplementation(() => null);
    const call = (url: string) => ({functionCall: {call: 'openUrl', args: {url}, returnType: 'void'}});
    for (const url of ['http://otro.example/', 'javascript:alert(1)', 'https://otro.example/']) {
      const made = await stage([button(call(url)), text('t', 'Abrir')]);
      made.find('button').click();
    }
    expect(open.mock.calls).toEqual([['https://otro.example/', '_blank', 'noopener,noreferrer']]);
  });
});

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

describe('a chart', () => {
  it('says in text what it draws', async () => {
    const datos = [{etiqueta: '12 meses', valor: 4480}, {etiqueta: 'raro', valor: 'x'}, null];
    const made = await stage(
      [{id: 'root', component: 'GraficoBarras', titulo: 'Pagos', datos: {path: '/d'}, moneda: 'EUR'}],
      {d: datos},
    );
    expect(made.find('figcaption').textContent).toContain('Pagos');
    expect(made.element.querySelectorAll('tr').length).toBe(1);
    expect(made.find('th').textContent).toBe('12 meses');
    expect(made.find('.a2-amount').textContent).toMatch(/4480,00\s€/);
    expect(made.find('.a2-bar').getAttribute('aria-hidden')).toBe('true');
  });
});
