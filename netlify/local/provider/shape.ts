/**
 * What a request to a provider may look like, written down as data. Reading collects every flaw and
 * where it is; each provider has its own words for them.
 *
 * `form` values are all text, lists are records with the keys 0, 1, 2; `json` values have types.
 */

export type Shape =
  | { readonly kind: 'text'; readonly min?: number; readonly max?: number; readonly like?: Format }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'whole'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'list'; readonly of: Shape; readonly min?: number; readonly max?: number }
  | RecordShape
  /** With any names and values. */
  | { readonly kind: 'object' }
  /** Names of the sender's own choosing. */
  | {
      readonly kind: 'map';
      readonly most: number;
      readonly maxName: number;
      readonly maxValue: number;
    };

export interface RecordShape {
  readonly kind: 'record';
  readonly fields: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

/** A rule for a text, and what it is called in messages. */
export interface Format {
  readonly name: string;
  readonly test: (text: string) => boolean;
}

export type FlawKind =
  | 'unknown'
  | 'missing'
  | 'empty'
  | 'type'
  | 'format'
  | 'length'
  | 'choice'
  | 'range'
  | 'count';

export interface Flaw {
  readonly path: readonly (string | number)[];
  readonly kind: FlawKind;
  /** What was expected there; `undefined` where nothing was. */
  readonly shape?: Shape;
  readonly value?: unknown;
}

export type Source = 'form' | 'json';

export function read(value: unknown, shape: Shape, source: Source) {
  const flaws: Flaw[] = [];
  const result = readAt([], value, shape, source, flaws);
  return { value: result, flaws };
}

function readAt(
  path: readonly (string | number)[],
  value: unknown,
  shape: Shape,
  source: Source,
  flaws: Flaw[],
): unknown {
  const flaw = (kind: FlawKind) => void flaws.push({ path, kind, shape, value });
  switch (shape.kind) {
    case 'text': {
      if (typeof value !== 'string') return flaw('type');
      const { min = 1, max = Infinity, like } = shape;
      if (value.length < min) return flaw(value === '' ? 'empty' : 'length');
      if (value.length > max) return flaw('length');
      return like !== undefined && !like.test(value) ? flaw('format') : value;
    }
    case 'choice':
      if (typeof value !== 'string') return flaw('type');
      return shape.of.includes(value) ? value : flaw('choice');
    case 'whole': {
      const number = source === 'form' && isWholeText(value) ? Number(value) : value;
      if (!Number.isSafeInteger(number)) return flaw('type');
      const { min = -Infinity, max = Infinity } = shape;
      return Number(number) < min || Number(number) > max ? flaw('range') : number;
    }
    case 'flag':
      if (typeof value === 'boolean' && source === 'json') return value;
      return value === 'true' || value === 'false' ? value === 'true' : flaw('type');
    case 'list': {
      const list = source === 'form' ? listOf(value) : value;
      if (!Array.isArray(list)) return flaw('type');
      const { min = 1, max = Infinity } = shape;
      if (list.length < min || list.length > max) return flaw('count');
      return list.map((item, i) => readAt([...path, i], item, shape.of, source, flaws));
    }
    case 'record':
      return isRecord(value) ? readFields(path, value, shape, source, flaws) : flaw('type');
    case 'object':
      return isRecord(value) ? value : flaw('type');
    case 'map': {
      if (!isRecord(value)) return flaw('type');
      const entries = Object.entries(value);
      if (entries.length > shape.most) return flaw('count');
      const entry: Shape = { kind: 'text', min: 0, max: shape.maxValue };
      for (const [name, text] of entries) {
        if (name.length > shape.maxName) flaw('length');
        readAt([...path, name], text, entry, source, flaws);
      }
      return value;
    }
  }
}

function readFields(
  path: readonly (string | number)[],
  value: Readonly<Record<string, unknown>>,
  { fields, required = [] }: RecordShape,
  source: Source,
  flaws: Flaw[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, content] of Object.entries(value)) {
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const inside = [...path, name];
    if (shape === undefined) flaws.push({ path: inside, kind: 'unknown', value: content });
    else result[name] = readAt(inside, content, shape, source, flaws);
  }
  for (const name of required) {
    if (!Object.hasOwn(value, name)) flaws.push({ path: [...path, name], kind: 'missing' });
  }
  return result;
}

function isWholeText(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Form lists are numbered from 0 without a gap. */
function listOf(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  return keys.every((key) => Number(key) < keys.length && /^\d+$/.test(key))
    ? keys.map((_, i) => value[i])
    : value;
}
