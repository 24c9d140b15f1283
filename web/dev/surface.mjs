/** The bank's surface: a plan to simulate, compare and apply. */

export const text = (id, value, variant) => ({
  id,
  component: 'Text',
  text: value,
  ...(variant ? {variant} : {}),
});
const format = (value) => ({call: 'formatString', args: {value}, returnType: 'string'});
const money = (path) => `\${formatCurrency(value: \${${path}}, currency: 'MXN')}`;

export const PLANS = {12: 4480, 18: 3124.5, 24: 2450, 30: 2080, 36: 1834};

export function planSurface(id = 's1') {
  return [
    {createSurface: {surfaceId: id, catalogId: '/catalogo/v1.json'}},
    {
      updateDataModel: {
        surfaceId: id,
        path: '/',
        value: {
          plazo: 18,
          motivo: '',
          mensualidad: PLANS[18],
          tasa: 22.5,
          plan: ['mensual'],
          barras: Object.entries(PLANS).map(([meses, valor]) => ({
            etiqueta: `${meses} meses`,
            valor,
          })),
        },
      },
    },
    {
      updateComponents: {
        surfaceId: id,
        components: [
          {id: 'root', component: 'Card', child: 'col'},
          {id: 'col', component: 'Column', children: ['titulo', 'intro', 'pestanas']},
          text('titulo', 'Reestructura tu tarjeta', 'h2'),
          text('intro', 'Tu tarjeta **tc_4821** tiene 12 días de mora.'),
          {
            id: 'pestanas',
            component: 'Tabs',
            tabs: [
              {title: 'Simular', child: 'simular'},
              {title: 'Comparar', child: 'comparar'},
            ],
          },
          {
            id: 'simular',
            component: 'Column',
            children: ['plazo', 'resumen', 'plan', 'motivo', 'botones'],
          },
          {
            id: 'plazo',
            component: 'Slider',
            label: 'Plazo en meses',
            min: 12,
            max: 36,
            step: 6,
            value: {path: '/plazo'},
            action: {
              event: {name: 'simular_reestructura', context: {plazoMeses: {path: '/plazo'}}},
            },
          },
          text('resumen', format(`\${/plazo} meses de ${money('/mensualidad')}`), 'h3'),
          {
            id: 'plan',
            component: 'ChoicePicker',
            label: 'Cada cuánto pagas',
            variant: 'mutuallyExclusive',
            options: [
              {label: 'Cada mes', value: 'mensual'},
              {label: 'Cada quincena', value: 'quincenal'},
            ],
            value: {path: '/plan'},
          },
          {
            id: 'motivo',
            component: 'TextField',
            label: 'Motivo',
            value: {path: '/motivo'},
            checks: [
              {
                condition: {
                  call: 'length',
                  args: {value: {path: '/motivo'}, min: 5},
                  returnType: 'boolean',
                },
                message: 'Escribe el motivo, con 5 letras al menos.',
              },
            ],
          },
          {
            id: 'botones',
            component: 'Row',
            justify: 'end',
            children: ['btn_ver', 'btn_aplicar_18m'],
          },
          {
            id: 'btn_ver',
            component: 'Button',
            child: 'btn_ver_t',
            action: {event: {name: 'ver_comparar', context: {}}},
          },
          text('btn_ver_t', 'Ver comparación'),
          {
            id: 'btn_aplicar_18m',
            component: 'Button',
            variant: 'primary',
            child: 'btn_t',
            action: {
              event: {
                name: 'aplicar_plan_pago',
                context: {
                  tarjetaId: 'tc_4821',
                  plazoMeses: {path: '/plazo'},
                  tasaPactada: {path: '/tasa'},
                },
              },
            },
            checks: [
              {
                condition: {
                  call: 'length',
                  args: {value: {path: '/motivo'}, min: 5},
                  returnType: 'boolean',
                },
                message: 'Falta el motivo.',
              },
            ],
          },
          text('btn_t', 'Aplicar plan'),
          {id: 'comparar', component: 'Column', children: ['grafico']},
          {
            id: 'grafico',
            component: 'GraficoBarras',
            titulo: 'Mensualidad según el plazo',
            datos: {path: '/barras'},
            moneda: 'MXN',
            descripcion: 'A más plazo, menos cada mes y más intereses en total.',
          },
        ],
      },
    },
  ];
}
