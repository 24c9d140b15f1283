import {describe, expect, it} from 'vitest';

import {readLine} from '../src/jsonl.ts';
import {linesOf} from '../src/lines.ts';
import {byteByByte, gather, streamOf} from './streams.ts';

const PLACE = {id: 't:2', run_id: 't', seq: 2, position: 7, conversacion: 'c'};

function frameOf(line: object): unknown {
  const read = readLine(JSON.stringify(line));
  return read.kind === 'frame' ? read.frame : read;
}

describe('linesOf', () => {
  it('puts together what the network cut, also within a letter', async () => {
    const text = '{"texto":"¿Está sin abrir? 📦"}\r\n\n{"tipo":"fin"}';
    const lines = await gather(linesOf(byteByByte(text)));
    expect(lines).toEqual(['{"texto":"¿Está sin abrir? 📦"}', '', '{"tipo":"fin"}']);
  });

  it('yields nothing for nothing', async () => {
    expect(await gather(linesOf(streamOf()))).toEqual([]);
  });
});

describe('readLine', () => {
  it.each([
    ['pensando', 'thinking'],
    ['usando_herramienta', 'using_tool'],
    ['respondiendo', 'answering'],
    ['listo', 'done'],
    ['fallido', 'failed'],
    ['detenido', 'stopped'],
  ])('reads the state %s as %s', (valor, status) => {
    const frame = frameOf({tipo: 'estado', valor, ...PLACE});
    expect(frame).toMatchObject({type: 'run.status', position: 7, payload: {status}});
  });

  it('reads each kind of fact as the event it stands for', () => {
    expect(frameOf({tipo: 'tool', nombre: 'get_order', params: {id: 1}, ...PLACE})).toMatchObject({
      type: 'tool.started',
      payload: {name: 'get_order', params: {id: 1}},
    });
    const payload = {version: 'v0.9', deleteSurface: {surfaceId: 's1'}};
    expect(frameOf({tipo: 'a2ui', payload, ...PLACE})).toMatchObject({
      type: 'surface.updated',
      payload: {message: payload},
    });
    expect(frameOf({tipo: 'razon', texto: 'Hola', ...PLACE})).toMatchObject({
      type: 'message.completed',
      payload: {text: 'Hola'},
    });
    const propuesta = {run_id: 'r', title: 'Reembolso'};
    expect(frameOf({tipo: 'propuesta', propuesta, ...PLACE})).toMatchObject({
      type: 'proposal.created',
      payload: propuesta,
    });
  });

  it('reads a delta as provisional', () => {
    const line = {tipo: 'delta', turno: 't', intento: 2, desde: 5, texto: 'más'};
    const delta = {type: 'delta', run_id: 't', attempt: 2, offset: 5, text: 'más'};
    expect(frameOf(line)).toEqual(delta);
  });

  it('tells the conversation, the error and the end', () => {
    const line = JSON.stringify({tipo: 'estado', valor: 'listo', ...PLACE});
    expect(readLine(line)).toMatchObject({kind: 'frame', conversation: 'c'});
    expect(readLine('{"tipo":"error","code":"expired","detail":"Tarde"}')).toEqual({
      kind: 'error',
      code: 'expired',
      detail: 'Tarde',
    });
    expect(readLine('{"tipo":"fin"}')).toEqual({kind: 'end'});
  });

  it.each(['', '   ', '{"tipo":', '[1]', 'null', '{"tipo":"nuevo"}', '{"tipo":"razon","texto":"x"}'])(
    'passes over %j',
    (line) => expect(readLine(line)).toEqual({kind: 'other'}),
  );
});
