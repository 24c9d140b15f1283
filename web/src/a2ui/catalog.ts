/**
 * The component set, machine-readable: the official basic catalogue of A2UI v0.9 and what
 * we add to it. The published `/catalogo/v1.json` and the renderer must agree on this.
 */

export const CATALOG_ID = '/catalogo/v1.json';

/** Surfaces written for the official catalogues render too: ours is a superset. */
export const OFFICIAL_CATALOG_IDS = [
  'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json',
  'https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json',
] as const;

/** The official components, all of them. The last two are refused visibly. */
export const BASIC_COMPONENTS = [
  'Text',
  'Image',
  'Icon',
  'Row',
  'Column',
  'List',
  'Card',
  'Tabs',
  'Modal',
  'Divider',
  'Button',
  'TextField',
  'CheckBox',
  'ChoicePicker',
  'Slider',
  'DateTimeInput',
  'Video',
  'AudioPlayer',
] as const;

/** How a property of ours is typed, by the name of its common type or of its JSON type. */
type PropertyType =
  | 'Action'
  | 'DynamicNumber'
  | 'DynamicString'
  | 'DynamicValue'
  | 'number'
  | 'columns';

/** Optional properties that we add to official components. */
export const EXTRA_PROPERTIES = {
  /** `step` of the scale; `action` fires once, when the slider is let go. */
  Slider: {step: 'number', action: 'Action'},
  /** Fires once, when another option is chosen. */
  ChoicePicker: {action: 'Action'},
  /** The index of the open tab, bindable, which `ver_*` actions move. */
  Tabs: {activa: 'DynamicNumber'},
} as const satisfies Record<string, Record<string, PropertyType>>;

/** What every chart has: `datos` is a list of `{etiqueta, valor}`; `moneda`, ISO 4217. */
const FIGURE = {
  required: {titulo: 'DynamicString', datos: 'DynamicValue'},
  optional: {descripcion: 'DynamicString', moneda: 'DynamicString'},
} as const;

/** Components that only we have, with the properties they must and may have. */
export const OWN_COMPONENTS = {
  GraficoBarras: FIGURE,
  /** `series` is a list of `{nombre, campo}`: further fields of `datos`, and their names. */
  GraficoLineas: {
    required: FIGURE.required,
    optional: {...FIGURE.optional, series: 'DynamicValue'},
  },
  GraficoDesglose: FIGURE,
  /** `columnas`: `{titulo, campo, formato?: texto|numero|moneda|fecha, moneda?}`. */
  Tabla: {
    required: {titulo: 'DynamicString', filas: 'DynamicValue', columnas: 'columns'},
    optional: {},
  },
  /** Of `maximo` (100 where it is not said); no value means that the end is not known. */
  Progreso: {
    required: {etiqueta: 'DynamicString', valor: 'DynamicNumber'},
    optional: {maximo: 'DynamicNumber', texto: 'DynamicString'},
  },
  /** `tono`: info, exito, aviso or error. */
  Aviso: {
    required: {texto: 'DynamicString'},
    optional: {titulo: 'DynamicString', tono: 'DynamicString'},
  },
} as const satisfies Record<
  string,
  {required: Record<string, PropertyType>; optional: Record<string, PropertyType>}
>;

/** The functions that values, checks and actions may call. */
export const FUNCTIONS = [
  'required',
  'regex',
  'length',
  'numeric',
  'email',
  'formatString',
  'formatNumber',
  'formatCurrency',
  'formatDate',
  'pluralize',
  'openUrl',
  'and',
  'or',
  'not',
  'capitalize',
] as const;
