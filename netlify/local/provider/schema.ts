/**
 * What a request to a provider may look like, as JSON Schema, checked by ajv. TypeBox gives
 * the types of the schemas. A provider puts the flaws into its own words.
 */
import type { ErrorObject } from 'ajv';
import { Ajv } from 'ajv';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';

/** What ajv finds wrong with a value: one flaw at least. */
export type Flaws = [ErrorObject, ...ErrorObject[]];

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
export function parserOf<S extends TSchema>(
  schema: S,
  source: 'form' | 'json',
  errorOf: (flaws: Flaws) => Error,
): (value: unknown) => Static<S> {
  const options = { allErrors: true, verbose: true, formats: FORMATS };
  const validate = new Ajv({ ...options, coerceTypes: source === 'form' }).compile<Static<S>>(
    schema,
  );
  return (value) => {
    if (validate(value)) return value;
    throw errorOf(validate.errors as Flaws); // null only where the value is valid
  };
}

/** A record with these fields and no more. */
export function record<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}

/** Text that is not empty. @param more further keywords of JSON Schema */
export function text(maxLength: number, more: object = {}) {
  return Type.String({ minLength: 1, maxLength, ...more });
}

/** The names that lead to the field that is wrong. */
export function pathOf({ instancePath, params }: ErrorObject): readonly string[] {
  // A JSON Pointer writes `/` as `~1` and `~` as `~0`. Source: RFC 6901.
  const parts = instancePath.split('/').slice(1);
  const path = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const field: unknown = params['missingProperty'] ?? params['additionalProperty'];
  return typeof field === 'string' ? [...path, field] : path;
}
