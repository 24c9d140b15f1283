// @vitest-environment happy-dom
import {beforeEach, describe, expect, it, vi} from 'vitest';

import {drawn, event, stage, text} from './dom.ts';

const button = (action: object, more = {}) =>
  ({id: 'root', component: 'Button', child: 't', action, ...more});

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

  it('shows an image of an address that the owner allows', async () => {
    const url = 'https://tienda.example/caja.png';
    const made = await stage([{id: 'root', component: 'Image', url}]);
    expect(made.find<HTMLImageElement>('img').src).toBe(url);
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

  it('rests while a slider simulates, but for one that only moves about', async () => {
    let finish = (): void => undefined;
    const made = await stage(
      [
        {id: 'root', component: 'Column', children: ['slider', 'pay', 'go']},
        {
          id: 'slider',
          component: 'Slider',
          max: 36,
          value: {path: '/plazo'},
          action: event('simular', {plazo: {path: '/plazo'}}),
        },
        {id: 'pay', component: 'Button', child: 't', action: event('pagar')},
        {id: 'go', component: 'Button', child: 't', action: event('ver_datos', {'/ui/x': 2})},
        text('t', 'Pulsa'),
      ],
      {plazo: 18},
    );
    made.answering(() => new Promise((resolve) => (finish = () => resolve())));
    const input = made.find<HTMLInputElement>('input');
    input.value = '24';
    input.dispatchEvent(new Event('input', {bubbles: true}));
    input.dispatchEvent(new Event('change'));
    await drawn();
    const [pay, go] = made.element.querySelectorAll('button');
    expect(pay?.getAttribute('aria-disabled')).toBe('true');
    expect(go?.getAttribute('aria-disabled')).toBeNull();
    pay?.click();
    go?.click();
    expect(made.model.get('/ui/x')).toBe(2);
    expect(made.sent.map(({name}) => name)).toEqual(['simular']);
    finish();
    await vi.waitFor(() => expect(pay?.getAttribute('aria-disabled')).toBeNull());
    pay?.click();
    expect(made.sent.map(({name}) => name)).toEqual(['simular', 'pagar']);
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
