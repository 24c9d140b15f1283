/** A surface that shows our own components, each in each of its states. */

import {text} from './surface.mjs';

const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun'];
const PLAN = [480, 455, 430.5, 402, 377, 350];
const TODAY = [480, 498, 515, 533, 552, 571];

const data = {
  cuota: [
    {etiqueta: '12 meses', valor: 4480},
    {etiqueta: '18 meses', valor: 3120.5},
    {etiqueta: 'Devuelto', valor: -640},
  ],
  deuda: MONTHS.map((etiqueta, i) => ({etiqueta, plan: PLAN[i], hoy: TODAY[i]})),
  saldo: MONTHS.map((etiqueta, i) => ({etiqueta, valor: PLAN[i]})),
  uno: [{etiqueta: 'hoy', valor: 3}],
  partes: [
    {etiqueta: 'Capital', valor: 41000},
    {etiqueta: 'Intereses', valor: 8412.3},
    {etiqueta: 'IVA de los intereses', valor: 1345.97},
    {etiqueta: 'Comisión', valor: 250},
    {etiqueta: 'Seguro', valor: 900},
    {etiqueta: 'Gastos', valor: 120},
    {etiqueta: 'Otros', valor: 60},
    {etiqueta: 'Nada', valor: 0},
  ],
  pagos: [
    {concepto: 'Cuota 1 de 18, con los intereses del mes', fecha: '2026-10-01', importe: 2890.12, n: 1},
    {concepto: 'Cuota 2', fecha: '2026-11-01', importe: 2890.12, n: 2},
    {concepto: 'Sin fecha', importe: null, n: 'tres'},
  ],
  vacio: [],
  hecho: 7,
};

const figure = (id, component, more) => ({id, component, titulo: id, ...more});
const alert = (id, tono, more = {}) => ({id, component: 'Aviso', tono, texto: `Es **${tono}** en palabras.`, ...more});

const columnas = [
  {titulo: 'Concepto', campo: 'concepto'},
  {titulo: 'Fecha', campo: 'fecha', formato: 'fecha'},
  {titulo: 'N.º', campo: 'n', formato: 'numero'},
  {titulo: 'Importe', campo: 'importe', formato: 'moneda', moneda: 'MXN'},
];

const components = [
  figure('Barras', 'GraficoBarras', {datos: {path: '/cuota'}, moneda: 'EUR', descripcion: 'Con uno negativo.'}),
  figure('Barras sin datos', 'GraficoBarras', {datos: {path: '/vacio'}}),
  figure('Una línea', 'GraficoLineas', {datos: {path: '/saldo'}, moneda: 'EUR'}),
  figure('Varias líneas', 'GraficoLineas', {
    datos: {path: '/deuda'},
    moneda: 'EUR',
    series: [
      {nombre: 'Con el plan', campo: 'plan'},
      {nombre: 'Como hasta hoy', campo: 'hoy'},
    ],
  }),
  figure('Un solo punto', 'GraficoLineas', {datos: {path: '/uno'}}),
  figure('Línea sin datos', 'GraficoLineas', {datos: {path: '/nada'}}),
  figure('Desglose', 'GraficoDesglose', {datos: {path: '/partes'}, moneda: 'MXN'}),
  figure('Desglose sin datos', 'GraficoDesglose', {datos: {path: '/vacio'}}),
  figure('Tabla', 'Tabla', {filas: {path: '/pagos'}, columnas}),
  figure('Tabla vacía', 'Tabla', {filas: {path: '/vacio'}, columnas}),
  {id: 'p1', component: 'Progreso', etiqueta: 'Pagado', valor: 45},
  {id: 'p2', component: 'Progreso', etiqueta: 'Cuotas', valor: {path: '/hecho'}, maximo: 18, texto: '7 de 18 cuotas'},
  {id: 'p3', component: 'Progreso', etiqueta: 'En camino', valor: {path: '/nada'}},
  {id: 'p4', component: 'Progreso', etiqueta: 'Todo', valor: 500},
  alert('a1', 'info'),
  alert('a2', 'exito', {titulo: 'Hecho'}),
  alert('a3', 'aviso'),
  alert('a4', 'error', {titulo: 'No se pudo'}),
  alert('a5', 'otro'),
];

export function figuresSurface(id = 'cifras') {
  const children = ['titulo', ...components.map((component) => component.id)];
  const root = {id: 'root', component: 'Column', children};
  return [
    {createSurface: {surfaceId: id, catalogId: '/catalogo/v1.json'}},
    {updateDataModel: {surfaceId: id, value: data}},
    {updateComponents: {surfaceId: id, components: [root, text('titulo', 'Cifras', 'h1'), ...components]}},
  ];
}
