/**
 * What a request to a provider may look like, as JSON Schema, checked by ajv. The types follow from
 * the schemas. A provider puts the flaws into its own words.
 */
import type { ErrorObject } from 'ajv';
import { Ajv } from 'ajv';

declare const VALUE: unique symbol;

/** JSON Schema for values of type T, which only the compiler sees. */
export interface Schema<T> {
  readonly [keyword: string]: unknown;
  readonly [VALUE]?: T;
}

export type ValueOf<S> = S extends Schema<infer T> ? T : never;

/** What ajv finds wrong with a value: one flaw at least. */
export type Flaws = [ErrorObject, ...ErrorObject[]];

type Fields = Readonly<Record<string, Schema<unknown>>>;
type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> };

const FORMATS = {
  url: (text: string) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
};

/**
 * Compiles a schema.
 *
 * @param source all values of a `form` are text, from which numbers and booleans are read
 * @param errorOf makes what is thrown for a value with these flaws
 */
export function parserOf<T>(
  schema: Schema<T>,
  source: 'form' | 'json',
  errorOf: (flaws: Flaws) => Error,
): (value: unknown) => T {
  const options = { allErrors: true, verbose: true, formats: FORMATS };
  const validate = new Ajv({ ...options, coerceTypes: source === 'form' }).compile<T>(schema);
  return (value) => {
    if (validate(value)) return value;
    throw errorOf(validate.errors as Flaws); // null only where the value is valid
  };
}

/**
 * A record that must have some fields, may have others, and no more. Without others the type of the
 * required fields stands for both.
 */
export function record<Must extends Fields, May extends Fields = Must>(
  must: Must,
  may: May = {} as May,
): Schema<ValuesOf<Must> & Partial<ValuesOf<May>>> {
  const properties = { ...must, ...may };
  return { type: 'object', additionalProperties: false, properties, required: Object.keys(must) };
}

export function text(maxLength: number, more: object = {}): Schema<string> {
  return { type: 'string', minLength: 1, maxLength, ...more };
}

export function choice<Value extends string>(...values: Value[]): Schema<Value> {
  return { type: 'string', enum: values };
}

export function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Schema<number> {
  return { type: 'integer', minimum, maximum };
}

export const flag: Schema<boolean> = { type: 'boolean' };

export function listOf<T>(items: Schema<T>, minItems: number, maxItems: number) {
  const schema: Schema<readonly T[]> = { type: 'array', items, minItems, maxItems };
  return schema;
}

/** The names that lead to the field that is wrong. */
export function pathOf({ instancePath, params }: ErrorObject): readonly string[] {
  const parts = instancePath.split('/').slice(1);
  const path = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const field: unknown = params['missingProperty'] ?? params['additionalProperty'];
  return typeof field === 'string' ? [...path, field] : path;
}
