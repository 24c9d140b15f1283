import {DataModel} from '@a2ui/web_core/v0_9';
import {describe, expect, it} from 'vitest';

import {Edits} from '../src/a2ui/edits.ts';

function form(typing: string | null = null) {
  const data = new DataModel({plazo: 12, datos: {motivo: ''}});
  const edits = new Edits();
  const type = (path: string, value: unknown): void => {
    edits.edited(path, value);
    data.set(path, value);
  };
  const serverWrites = (path: string, value: unknown): void =>
    edits.around(data, path, typing, () => data.set(path, value));
  return {data, edits, type, serverWrites};
}

describe('Edits', () => {
  it('keeps what was typed when the whole data is replaced', () => {
    const {data, type, serverWrites} = form();
    type('/datos/motivo', 'desempleo');
    serverWrites('/', {plazo: 18, datos: {motivo: ''}});
    expect(data.get('/')).toEqual({plazo: 18, datos: {motivo: 'desempleo'}});
    serverWrites('/datos', {motivo: '', otro: 1});
    expect(data.get('/datos')).toEqual({motivo: 'desempleo', otro: 1});
  });

  it('lets the server write a field by its name', () => {
    const {data, type, serverWrites} = form();
    type('/plazo', 17);
    serverWrites('/plazo', 18);
    serverWrites('/', {plazo: 24});
    expect(data.get('/plazo')).toBe(24);
  });

  it('does not take a field from under the fingers, until an action took it along', () => {
    const {data, edits, type, serverWrites} = form('/plazo');
    type('/plazo', 24);
    serverWrites('/plazo', 18);
    expect(data.get('/plazo')).toBe(24);
    edits.acted();
    serverWrites('/plazo', 18);
    expect(data.get('/plazo')).toBe(18);
  });

  it('forgets a field that the data no longer has room for', () => {
    const {data, type, serverWrites} = form();
    type('/datos/motivo', 'desempleo');
    serverWrites('/', {plazo: 1, datos: 'nada'});
    expect(data.get('/')).toEqual({plazo: 1, datos: 'nada'});
  });
});
