/** Stripe's form bodies: `line_items[0][quantity]=2` is a record in a list in a record. */
import type { Flaw, Parsed } from '../provider/schema.ts';
import { invalid } from './failure.ts';

interface Branch {
  [name: string]: string | Branch;
}

/**
 * Reads a form body or query and checks it.
 *
 * @throws StripeError 400
 */
export function readForm<T>(text: string, parse: (form: unknown) => Parsed<T>): T {
  const parsed = parse(withLists(parseForm(text)));
  if (!parsed.ok) throw errorOf(parsed.flaws[0]);
  return parsed.value;
}

/** The same parameters in another order are the same request. */
export function isSameForm(one: string, other: string): boolean {
  const sorted = (text: string) => {
    const form = new URLSearchParams(text);
    form.sort();
    return form.toString();
  };
  return sorted(one) === sorted(other);
}

function parseForm(text: string): Branch {
  const root = emptyBranch();
  for (const [key, value] of new URLSearchParams(text)) {
    const path = key.replaceAll(']', '').split('[');
    let at = root;
    for (const [i, part] of path.entries()) {
      const name = part === '' ? String(Object.keys(at).length) : part;
      if (i === path.length - 1) {
        at[name] = value;
        break;
      }
      const next = at[name];
      at = typeof next === 'object' ? next : (at[name] = emptyBranch());
    }
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

function errorOf({ path: [head = '', ...rest], keyword, expected, message }: Flaw) {
  const param = head + rest.map((part) => `[${part}]`).join('');
  const isInteger = keyword === 'type' && expected === 'integer';
  const ofFormat = keyword === 'format' ? `${String(expected)}_invalid` : undefined;
  const code = isInteger ? 'parameter_invalid_integer' : (CODES[keyword] ?? ofFormat);
  return invalid(`Invalid ${param}: it ${message}`, code, param);
}
