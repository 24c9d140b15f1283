/**
 * What the A2UI engine uses of zod, and nothing else: it stands in for it in the bundle.
 *
 * zod is a fifth of such a page's weight, and its classes cannot be left out one by one.
 * The build puts this file where the engine imports `zod`; types still come from zod, and
 * a test holds both to the same verdicts over the whole catalogue.
 */

type Path = (string | number)[];

interface Issue {
  code: string;
  path: Path;
  message: string;
  /** Which keys are too many, where that is what is wrong. */
  keys?: string[];
}

interface Definition {
  typeName: string;
  description?: string | undefined;
  innerType?: Schema;
  /** Of an array's items or a record's values. */
  type?: Schema;
  options?: Schema[];
  values?: unknown[];
  shape?: () => Shape;
  unknownKeys?: 'strip' | 'strict' | 'passthrough';
  least?: number;
  above?: number;
  isWhole?: boolean;
  prepare?: (value: unknown) => unknown;
  test?: (value: unknown) => unknown;
  message?: string;
  fallback?: unknown;
}

type Shape = Record<string, Schema>;
/** Returns what a value is read as; what is wrong with it goes into `issues`. */
type Read = (value: unknown, def: Definition, path: Path, issues: Issue[]) => unknown;

export class ZodError extends Error {
  override readonly name = 'ZodError';
  readonly errors: Issue[];

  constructor(readonly issues: Issue[]) {
    super(issues.map(({path, message}) => `${path.join('.')}: ${message}`).join(', '));
    this.errors = issues;
  }
}

class Schema {
  constructor(readonly _def: Definition) {}

  parse(value: unknown): unknown {
    const {data, error} = this.safeParse(value);
    if (error) throw error;
    return data;
  }

  safeParse(value: unknown): {success: boolean; data?: unknown; error?: ZodError} {
    const issues: Issue[] = [];
    const data = this.read(value, [], issues);
    return issues.length
      ? {success: false, error: new ZodError(issues)}
      : {success: true, data};
  }

  read(value: unknown, path: Path, issues: Issue[]): unknown {
    return READERS[this._def.typeName]?.(value, this._def, path, issues);
  }

  get shape(): Shape {
    return this._def.shape?.() ?? {};
  }

  get description(): string | undefined {
    return this._def.description;
  }

  describe(description: string): Schema {
    return this.#with({description});
  }

  optional(): Schema {
    return this.#around('ZodOptional', {});
  }

  default(fallback: unknown): Schema {
    return this.#around('ZodDefault', {fallback});
  }

  refine(test: (value: unknown) => unknown, said?: string | {message: string}): Schema {
    const message = typeof said === 'string' ? said : said?.message;
    return this.#around('ZodEffects', {test, ...(message ? {message} : {})});
  }

  and(other: Schema): Schema {
    return new Schema({typeName: 'ZodIntersection', options: [this, other]});
  }

  extend(more: Shape): Schema {
    const shape = {...this.shape, ...more};
    return this.#with({shape: () => shape});
  }

  strict(): Schema {
    return this.#with({unknownKeys: 'strict'});
  }

  passthrough(): Schema {
    return this.#with({unknownKeys: 'passthrough'});
  }

  min(least: number): Schema {
    return this.#with({least});
  }

  positive(): Schema {
    return this.#with({above: 0});
  }

  int(): Schema {
    return this.#with({isWhole: true});
  }

  // Formats stand only beside a plain string that takes anything, or in what is never read.
  date(): Schema {
    return this;
  }

  time(): Schema {
    return this;
  }

  datetime(): Schema {
    return this;
  }

  #with(change: Partial<Definition>): Schema {
    return new Schema({...this._def, ...change});
  }

  #around(typeName: string, more: Partial<Definition>): Schema {
    return new Schema({typeName, innerType: this, description: this.description, ...more});
  }
}

function wrong(path: Path, issues: Issue[], message = 'Invalid input', code = 'invalid_type'): void {
  issues.push({code, path, message});
}

function ofType(type: string): Read {
  return (value, {prepare}, path, issues) => {
    const read = prepare ? prepare(value) : value;
    if (typeof read !== type || Number.isNaN(read)) wrong(path, issues, `Expected ${type}`);
    return read;
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const READERS: Record<string, Read> = {
  ZodAny: (value) => value,
  ZodString: ofType('string'),
  ZodBoolean: ofType('boolean'),

  ZodNumber(value, def, path, issues) {
    const number = ofType('number')(value, def, path, issues) as number;
    const {least = -Infinity, above = -Infinity, isWhole} = def;
    const isAllowed = number >= least && (above === -Infinity || number > above);
    if (!isAllowed || (isWhole && !Number.isInteger(number))) wrong(path, issues);
    return number;
  },

  ZodEnum(value, {values = []}, path, issues) {
    if (!values.includes(value)) wrong(path, issues, `Expected ${values.join(' | ')}`);
    return value;
  },

  ZodArray(value, {type, least = 0}, path, issues) {
    if (!Array.isArray(value)) return wrong(path, issues, 'Expected array');
    if (value.length < least) wrong(path, issues, `Expected at least ${least}`);
    return value.map((item, index) => type?.read(item, [...path, index], issues));
  },

  ZodRecord(value, {type}, path, issues) {
    if (!isRecord(value)) return wrong(path, issues, 'Expected object');
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, item]) => [key, type?.read(item, [...path, key], issues)]),
    );
  },

  ZodObject(value, {shape, unknownKeys}, path, issues) {
    if (!isRecord(value)) return wrong(path, issues, 'Expected object');
    const known = shape?.() ?? {};
    const keys = Object.keys(value).filter((key) => !Object.hasOwn(known, key));
    if (unknownKeys === 'strict' && keys.length) {
      issues.push({code: 'unrecognized_keys', path, message: 'Unrecognized key', keys});
    }
    const read: Record<string, unknown> = unknownKeys === 'passthrough' ? {...value} : {};
    for (const [key, schema] of Object.entries(known)) {
      const item = schema.read(value[key], [...path, key], issues);
      if (item !== undefined || key in value) read[key] = item;
    }
    return read;
  },

  ZodUnion(value, {options = []}, path, issues) {
    for (const option of options) {
      const here: Issue[] = [];
      const read = option.read(value, path, here);
      if (!here.length) return read;
    }
    return wrong(path, issues, 'Invalid input', 'invalid_union');
  },

  ZodIntersection(value, {options = []}, path, issues) {
    return Object.assign({}, ...options.map((option) => option.read(value, path, issues)));
  },

  ZodOptional(value, {innerType}, path, issues) {
    return value === undefined ? value : innerType?.read(value, path, issues);
  },

  ZodDefault(value, {innerType, fallback}, path, issues) {
    return innerType?.read(value === undefined ? fallback : value, path, issues);
  },

  ZodEffects(value, {innerType, prepare, test, message}, path, issues) {
    const before = issues.length;
    const read = innerType?.read(prepare ? prepare(value) : value, path, issues);
    if (test && issues.length === before && !test(read)) wrong(path, issues, message, 'custom');
    return read;
  },
};

const plain = (typeName: string) => (): Schema => new Schema({typeName});
const coerced = (typeName: string, prepare: (value: unknown) => unknown) => (): Schema =>
  new Schema({typeName, prepare});

export const z = {
  ZodError,
  any: plain('ZodAny'),
  unknown: plain('ZodAny'),
  string: plain('ZodString'),
  number: plain('ZodNumber'),
  boolean: plain('ZodBoolean'),
  literal: (value: unknown) => new Schema({typeName: 'ZodEnum', values: [value]}),
  enum: (values: unknown[]) => new Schema({typeName: 'ZodEnum', values}),
  array: (type: Schema) => new Schema({typeName: 'ZodArray', type}),
  record: (type: Schema) => new Schema({typeName: 'ZodRecord', type}),
  union: (options: Schema[]) => new Schema({typeName: 'ZodUnion', options}),
  object: (shape: Shape) =>
    new Schema({typeName: 'ZodObject', shape: () => shape, unknownKeys: 'strip'}),
  preprocess: (prepare: (value: unknown) => unknown, innerType: Schema) =>
    new Schema({typeName: 'ZodEffects', prepare, innerType}),
  coerce: {number: coerced('ZodNumber', Number), string: coerced('ZodString', String)},
};
