/** Stripe's form bodies: `line_items[0][quantity]=2` is a record in a list in a record. */
import { type Flaws, parserOf, pathOf, type Schema } from '../provider/schema.ts';
import { StripeError } from './failure.ts';

interface Branch {
  [name: string]: string | Branch;
}

/** Compiles what reads a body or a query, and throws a StripeError 400. */
export function formOf<T>(schema: Schema<T>): (text: string) => T {
  const parse = parserOf(schema, 'form', errorOf);
  return (text) => parse(withLists(parseForm(text)));
}

function parseForm(text: string): Branch {
  const root = emptyBranch();
  for (const [key, value] of new URLSearchParams(text)) {
    const path = key.replaceAll(']', '').split('[');
    const last = path.pop() ?? '';
    let at = root;
    for (const name of path) {
      const next = at[name];
      at = typeof next === 'object' ? next : (at[name] = emptyBranch());
    }
    at[last] = value;
  }
  return root;
}

/** A branch whose names are 0, 1, 2 without a gap is a list. */
function withLists(value: string | Branch): unknown {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, part]) => [name, withLists(part)] as const);
  const isList = entries.length > 0 && entries.every(([name], i) => name === String(i));
  if (isList) return entries.map(([, part]) => part);
  return Object.assign(emptyBranch(), Object.fromEntries(entries));
}

/** Without a prototype, so that no name in a request means anything but itself. */
function emptyBranch(): Branch {
  return Object.create(null) as Branch;
}

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
  const [head = '', ...rest] = pathOf(flaw);
  const param = head + rest.map((part) => `[${part}]`).join('');
  const isInteger = keyword === 'type' && expected === 'integer';
  const ofFormat = keyword === 'format' ? `${String(expected)}_invalid` : undefined;
  const code = isInteger ? 'parameter_invalid_integer' : (CODES[keyword] ?? ofFormat);
  return new StripeError(400, { message: `Invalid ${param}: it ${message}`, code, param });
}
