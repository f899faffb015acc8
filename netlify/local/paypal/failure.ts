/** PayPal's errors. Source: developer.paypal.com/api/rest/responses and the published schema. */
import type { Static, TSchema } from 'typebox';
import { type Flaws, parserOf, pathOf } from '../provider/schema.ts';

interface Issue {
  readonly issue: string;
  readonly description: string;
  /** JSON pointer into the body. */
  readonly field?: string;
}

const NAMES = {
  400: 'INVALID_REQUEST',
  404: 'RESOURCE_NOT_FOUND',
  409: 'RESOURCE_CONFLICT',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_ENTITY',
  429: 'RATE_LIMIT_REACHED',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const;

/** Rejects a request in PayPal's way. */
export class PayPalError extends Error {
  override readonly name = 'PayPalError';
  readonly status: keyof typeof NAMES;
  readonly issues: readonly Issue[];

  /** The message is the first issue. */
  constructor(status: keyof typeof NAMES, ...issues: Issue[]) {
    super(issues[0]?.issue ?? NAMES[status]);
    this.status = status;
    this.issues = issues;
  }

  body(debugId: string): object {
    const message = this.issues[0]?.description ?? this.message;
    return { name: NAMES[this.status], message, debug_id: debugId, details: this.issues };
  }
}

export function unprocessable(issue: string, description: string): PayPalError {
  return new PayPalError(422, { issue, description });
}

export function noSuchResource(): PayPalError {
  const description = 'There is no resource with this id.';
  return new PayPalError(404, { issue: 'INVALID_RESOURCE_ID', description });
}

/** Returns a parser of bodies. It throws a PayPalError 400 that reports all flaws at once, as PayPal does. */
export function bodyParser<S extends TSchema>(schema: S): (body: string) => Static<S> {
  const parse = parserOf(schema, 'json', (flaws) => new PayPalError(400, ...flaws.map(issueOf)));
  return (body) => parse(requirePayPalJson(body));
}

/** @throws PayPalError for text that is not JSON */
export function requirePayPalJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    const description = 'The request JSON is not well formed.';
    throw new PayPalError(400, { issue: 'MALFORMED_REQUEST_JSON', description });
  }
}

/** By the keyword of JSON Schema; other flaws are a wrong value. */
const ISSUES: Readonly<Record<string, string>> = {
  additionalProperties: 'NOT_SUPPORTED',
  required: 'MISSING_REQUIRED_PARAMETER',
  minLength: 'INVALID_STRING_LENGTH',
  maxLength: 'INVALID_STRING_LENGTH',
  type: 'INVALID_PARAMETER_SYNTAX',
  format: 'INVALID_PARAMETER_SYNTAX',
  pattern: 'INVALID_PARAMETER_SYNTAX',
};

function issueOf(flaw: Flaws[number]): Issue {
  const { keyword, message: description = '' } = flaw;
  const path = pathOf(flaw);
  const isCountry = path.at(-1) === 'country_code' && keyword !== 'required';
  const issue = isCountry ? 'INVALID_COUNTRY_CODE' : (ISSUES[keyword] ?? 'INVALID_PARAMETER_VALUE');
  return { field: `/${path.join('/')}`, issue, description };
}
