/** The bank's surface, and one that shows every component. */

const text = (id, value, variant) => ({
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

export function gallerySurface(id = 'galeria') {
  const components = [
    {
      id: 'root',
      component: 'Column',
      children: ['t1', 't2', 'cap', 'cards', 'div', 'lista', 'across', 'form', 'btns', 'media'],
    },
    text('t1', 'Todos los componentes', 'h1'),
    text('t2', 'Texto con **negrita**, *cursiva* y `código`.\n\n- uno\n- dos'),
    text('cap', 'Una nota al pie', 'caption'),
    {id: 'cards', component: 'Row', children: ['ca', 'cb']},
    {id: 'ca', component: 'Card', child: 'cat', weight: 1},
    text('cat', 'Tarjeta A', 'h3'),
    {id: 'cb', component: 'Card', child: 'cbt', weight: 2},
    text('cbt', 'Tarjeta B', 'h3'),
    {id: 'div', component: 'Divider'},
    {id: 'lista', component: 'List', children: {componentId: 'fila', path: '/pagos'}},
    {
      id: 'fila',
      component: 'Row',
      justify: 'spaceBetween',
      align: 'center',
      children: ['fila_i', 'fila_n', 'fila_v', 'fila_b'],
    },
    {id: 'fila_i', component: 'Icon', name: 'payment'},
    {...text('fila_n', {path: 'nombre'}), weight: 1},
    text('fila_v', {
      call: 'formatCurrency',
      args: {value: {path: 'valor'}, currency: 'EUR'},
      returnType: 'string',
    }),
    {
      id: 'fila_b',
      component: 'Button',
      child: 'fila_bt',
      action: {event: {name: 'elegir_pago', context: {nombre: {path: 'nombre'}}}},
    },
    text('fila_bt', 'Elegir'),
    {
      id: 'across',
      component: 'List',
      direction: 'horizontal',
      children: ['i1', 'i2', 'i3', 'i4', 'i5'],
    },
    ...['home', 'search', 'settings', 'warning', 'star'].map((name, index) => ({
      id: `i${index + 1}`,
      component: 'Icon',
      name,
    })),
    {
      id: 'form',
      component: 'Card',
      child: 'campos',
    },
    {
      id: 'campos',
      component: 'Column',
      children: ['nombre', 'nota', 'clave', 'num', 'fecha', 'cuando', 'ok', 'chips', 'muchos'],
    },
    {id: 'nombre', component: 'TextField', label: 'Nombre', value: {path: '/nombre'}},
    {
      id: 'nota',
      component: 'TextField',
      label: 'Nota',
      variant: 'longText',
      value: {path: '/nota'},
    },
    {id: 'clave', component: 'TextField', label: 'Clave', variant: 'obscured'},
    {
      id: 'num',
      component: 'TextField',
      label: 'Número',
      variant: 'number',
      value: {path: '/num'},
      validationRegexp: '^[0-9]+$',
    },
    {
      id: 'fecha',
      component: 'DateTimeInput',
      label: 'Fecha de entrega',
      enableDate: true,
      value: {path: '/fecha'},
    },
    {
      id: 'cuando',
      component: 'DateTimeInput',
      enableDate: true,
      enableTime: true,
      value: {path: '/cuando'},
    },
    {id: 'ok', component: 'CheckBox', label: 'Acepto las condiciones', value: {path: '/ok'}},
    {
      id: 'chips',
      component: 'ChoicePicker',
      label: 'Colores',
      variant: 'multipleSelection',
      displayStyle: 'chips',
      options: ['Rojo', 'Verde', 'Azul'].map((label) => ({label, value: label})),
      value: {path: '/colores'},
    },
    {
      id: 'muchos',
      component: 'ChoicePicker',
      label: 'Ciudad',
      filterable: true,
      options: ['Bilbao', 'Madrid', 'Sevilla'].map((label) => ({label, value: label})),
      value: {path: '/ciudad'},
    },
    {id: 'btns', component: 'Row', children: ['b1', 'b2', 'b3', 'modal']},
    {
      id: 'b1',
      component: 'Button',
      variant: 'primary',
      child: 'b1t',
      action: {event: {name: 'guardar'}},
    },
    text('b1t', 'Guardar'),
    {
      id: 'b2',
      component: 'Button',
      variant: 'borderless',
      child: 'b2t',
      action: {
        functionCall: {
          call: 'openUrl',
          args: {url: 'https://tienda.example/'},
          returnType: 'void',
        },
      },
    },
    text('b2t', 'Abrir la tienda'),
    {id: 'b3', component: 'Button', child: 'b3i', action: {event: {name: 'buscar'}}},
    {id: 'b3i', component: 'Icon', name: 'search'},
    {id: 'modal', component: 'Modal', trigger: 'abre', content: 'dentro'},
    {
      id: 'abre',
      component: 'Button',
      child: 'abre_t',
      action: {event: {name: 'ver_modal', context: {}}},
    },
    text('abre_t', 'Ver detalles'),
    {id: 'dentro', component: 'Column', children: ['dentro_t', 'dentro_p']},
    text('dentro_t', 'Detalles', 'h3'),
    text('dentro_p', 'Todo lo que hay que saber.'),
    {id: 'media', component: 'Column', children: ['propia', 'ajena', 'video', 'audio', 'raro']},
    {
      id: 'propia',
      component: 'Image',
      url: '/dev/picture.svg',
      description: 'Una caja cerrada',
      variant: 'smallFeature',
      fit: 'cover',
    },
    {id: 'ajena', component: 'Image', url: 'https://otro.example/foto.png'},
    {id: 'video', component: 'Video', url: 'https://otro.example/video.mp4'},
    {id: 'audio', component: 'AudioPlayer', url: 'https://otro.example/audio.mp3'},
    {id: 'raro', component: 'Holograma'},
  ];
  const pagos = [
    {nombre: 'Luz', valor: 42.1},
    {nombre: 'Agua', valor: 18},
  ];
  const value = {nombre: 'Ana', nota: '', num: '3', fecha: '2026-09-12', cuando: '', pagos};
  return [
    {createSurface: {surfaceId: id, catalogId: '/catalogo/v1.json'}},
    {updateDataModel: {surfaceId: id, value: {...value, ok: true, colores: ['Verde']}}},
    {updateComponents: {surfaceId: id, components}},
  ];
}
