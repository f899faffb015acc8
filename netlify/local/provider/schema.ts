/**
 * What a request to a provider may look like, as JSON Schema, checked by ajv. A provider puts the
 * flaws into its own words.
 */
import type { ErrorObject } from 'ajv';
import { Ajv } from 'ajv';

export type Schema = Readonly<Record<string, unknown>>;

export interface Flaw {
  readonly path: readonly string[];
  /** The keyword of JSON Schema that the value breaks, such as `required` or `maxLength`. */
  readonly keyword: string;
  /** What the schema says for that keyword. */
  readonly expected: unknown;
  /** In English, such as `must be integer`. */
  readonly message: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly flaws: readonly [Flaw, ...Flaw[]] };

const FORMATS = {
  url: (text: string) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
};

/**
 * Compiles a schema.
 *
 * @param source all values of a `form` are text, from which numbers and booleans are read
 */
export function parserOf<T>(schema: Schema, source: 'form' | 'json') {
  const options = { allErrors: true, verbose: true, formats: FORMATS };
  const validate = new Ajv({ ...options, coerceTypes: source === 'form' }).compile<T>(schema);
  return (value: unknown): Parsed<T> => {
    if (validate(value)) return { ok: true, value };
    const [first, ...rest] = (validate.errors ?? []).map(flawOf);
    if (first === undefined) throw new Error('ajv names no error');
    return { ok: false, flaws: [first, ...rest] };
  };
}

/** A record that may have no other fields. */
export function record(properties: Readonly<Record<string, Schema>>, ...required: string[]) {
  return { type: 'object', additionalProperties: false, properties, required };
}

export function text(maxLength: number, more: Schema = {}): Schema {
  return { type: 'string', minLength: 1, maxLength, ...more };
}

export function choice(...values: string[]): Schema {
  return { type: 'string', enum: values };
}

function flawOf({ instancePath, keyword, params, ...error }: ErrorObject): Flaw {
  const parts = instancePath.split('/').slice(1);
  const path = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const field: unknown = params['missingProperty'] ?? params['additionalProperty'];
  return {
    path: typeof field === 'string' ? [...path, field] : path,
    keyword,
    expected: error.schema,
    message: error.message ?? '',
  };
}
