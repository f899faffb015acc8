/** Stripe's form bodies: `line_items[0][quantity]=2` is a record in a list in a record. */
import type { Flaw, Shape } from '../provider/shape.ts';
import { read } from '../provider/shape.ts';
import { invalid } from './failure.ts';

interface Branch {
  [name: string]: string | Branch;
}

/**
 * Reads a form body or query and checks it.
 *
 * @returns what the shape says; the caller names its type
 * @throws StripeRefusal 400
 */
export function readForm(text: string, shape: Shape): unknown {
  const { value, flaws } = read(parseForm(text), shape, 'form');
  const [first] = flaws;
  if (first !== undefined) throw httpErrorOf(first, flaws);
  return value;
}

/** The same parameters in another order are the same request. */
export function sameForm(one: string, other: string): boolean {
  const sorted = (text: string) => {
    const form = new URLSearchParams(text);
    form.sort();
    return form.toString();
  };
  return sorted(one) === sorted(other);
}

function parseForm(text: string): Branch {
  const root = branch();
  for (const [key, value] of new URLSearchParams(text)) {
    const [head = '', ...rest] = key.replaceAll(']', '').split('[');
    let at = root;
    for (const [i, name] of [head, ...rest].entries()) {
      const key = name === '' ? String(Object.keys(at).length) : name;
      if (i === rest.length) {
        at[key] = value;
        break;
      }
      const next = at[key];
      at = typeof next === 'object' ? next : (at[key] = branch());
    }
  }
  return root;
}

/** Without a prototype, so that no name in a request means anything but itself. */
function branch(): Branch {
  return Object.create(null) as Branch;
}

function httpErrorOf(flaw: Flaw, all: readonly Flaw[]) {
  const param = paramOf(flaw);
  const shown = typeof flaw.value === 'string' ? flaw.value : JSON.stringify(flaw.value);
  const { kind, shape } = flaw;
  switch (kind) {
    case 'unknown': {
      const names = all.filter((other) => other.kind === 'unknown').map(paramOf);
      const plural = names.length > 1 ? 's' : '';
      const message = `Received unknown parameter${plural}: ${names.join(', ')}`;
      return invalid(message, 'parameter_unknown', param);
    }
    case 'missing':
      return invalid(`Missing required param: ${param}.`, 'parameter_missing', param);
    case 'empty':
      return invalid(
        `You passed an empty string for '${param}'. An empty value would unset it, which is not possible here.`,
        'parameter_invalid_empty',
        param,
      );
    case 'format': {
      const name = shape?.kind === 'text' ? shape.like?.name : undefined;
      if (name === 'url') return invalid('Not a valid URL', 'url_invalid', param);
      if (name === 'email')
        return invalid(`Invalid email address: ${shown}`, 'email_invalid', param);
      return invalid(`Invalid ${name ?? 'value'}: ${shown}`, undefined, param);
    }
    case 'length': {
      const most = shape?.kind === 'text' ? shape.max : undefined;
      const limit =
        most === undefined ? 'it is too long' : `it may have ${most} characters at most`;
      return invalid(`Invalid string: ${shown}; ${limit}`, undefined, param);
    }
    case 'choice': {
      const choices = shape?.kind === 'choice' ? shape.of.join(', ') : '';
      return invalid(`Invalid ${param}: must be one of ${choices}`, undefined, param);
    }
    case 'range': {
      const { min, max } = shape?.kind === 'whole' ? shape : {};
      const message = `Invalid integer: ${shown} (from ${min ?? 'any'} to ${max ?? 'any'})`;
      return invalid(message, 'parameter_invalid_integer', param);
    }
    case 'count':
      return invalid(`Invalid number of entries in ${param}`, undefined, param);
    case 'type':
      return invalidType(shape?.kind, shown, param);
  }
}

function invalidType(kind: Shape['kind'] | undefined, shown: string, param: string) {
  if (kind === 'whole') {
    return invalid(`Invalid integer: ${shown}`, 'parameter_invalid_integer', param);
  }
  if (kind === 'flag') return invalid(`Invalid boolean: ${shown}`, undefined, param);
  if (kind === 'list') return invalid('Invalid array', undefined, param);
  if (kind === 'text' || kind === 'choice')
    return invalid(`Invalid string: ${shown}`, undefined, param);
  return invalid('Invalid object', undefined, param);
}

function paramOf({ path }: Flaw): string {
  const [head = '', ...rest] = path;
  return `${head}${rest.map((part) => `[${part}]`).join('')}`;
}
