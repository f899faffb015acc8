/** Stripe's form bodies: `line_items[0][quantity]=2` is a record in a list in a record. */
import qs from 'qs';
import type { Static, TSchema } from 'typebox';
import { type Flaws, parserOf, pathOf } from '../provider/schema.ts';
import { StripeError } from './failure.ts';

/**
 * Records have no prototype, so that no name in a request finds an inherited property. The limits are above what
 * any request of the shop's needs.
 */
const FORM = { plainObjects: true, depth: 10, arrayLimit: 1000, parameterLimit: 100_000 };

/** Returns a parser of bodies and queries, which throws a StripeError 400. */
export function formParser<S extends TSchema>(schema: S): (text: string) => Static<S> {
  const parse = parserOf(schema, 'form', errorOf);
  return (text) => parse(qs.parse(text, FORM));
}

/** Stripe's error codes, by the keyword of JSON Schema that a value violates. */
const CODES: Readonly<Record<string, string>> = {
  additionalProperties: 'parameter_unknown',
  required: 'parameter_missing',
  minLength: 'parameter_invalid_empty',
  minimum: 'parameter_invalid_integer',
  maximum: 'parameter_invalid_integer',
};

/** Names the first flaw only, as Stripe does. */
function errorOf([flaw]: Flaws): StripeError {
  const { keyword, schema: expected, message } = flaw;
  const [field = '', ...nestedNames] = pathOf(flaw);
  const param = field + nestedNames.map((part) => `[${part}]`).join('');
  const isNoInteger = keyword === 'type' && expected === 'integer';
  const formatCode = keyword === 'format' ? `${String(expected)}_invalid` : undefined;
  const code = isNoInteger ? 'parameter_invalid_integer' : (CODES[keyword] ?? formatCode);
  return new StripeError(400, { message: `Invalid ${param}: it ${message}`, code, param });
}
