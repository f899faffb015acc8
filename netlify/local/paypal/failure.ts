/** PayPal's errors. Source: developer.paypal.com/api/rest/responses and the published schema. */
import type { Flaw, Parsed } from '../provider/schema.ts';

export interface Issue {
  readonly issue: string;
  readonly description: string;
  /** JSON pointer into the body. */
  readonly field?: string;
  readonly location?: 'body' | 'path';
}

const KINDS = {
  400: ['INVALID_REQUEST', 'The request is not well-formed or violates the schema.'],
  401: ['AUTHENTICATION_FAILURE', 'There is no authorization header, or it is not valid.'],
  404: ['RESOURCE_NOT_FOUND', 'The specified resource does not exist.'],
  409: ['RESOURCE_CONFLICT', 'Another request on this resource is in progress.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'The request must be application/json.'],
  422: ['UNPROCESSABLE_ENTITY', 'The requested action could not be performed.'],
  429: ['RATE_LIMIT_REACHED', 'Too many requests.'],
  500: ['INTERNAL_SERVER_ERROR', 'An internal server error occurred.'],
  503: ['SERVICE_UNAVAILABLE', 'The service is not available.'],
} as const;

/** Rejects a request in PayPal's way. */
export class PayPalError extends Error {
  override readonly name = 'PayPalError';
  readonly status: keyof typeof KINDS;
  readonly issues: readonly Issue[];

  /** The message is the first issue, by which callers know the error. */
  constructor(status: keyof typeof KINDS, issues: readonly Issue[] = []) {
    super(issues[0]?.issue ?? KINDS[status][0]);
    this.status = status;
    this.issues = issues;
  }

  body(debugId: string): object {
    const [name, message] = KINDS[this.status];
    const details = this.issues.length === 0 ? {} : { details: this.issues };
    return { name, message, debug_id: debugId, ...details };
  }
}

export function unprocessable(issue: string, description: string, field?: string): PayPalError {
  const place = field === undefined ? {} : ({ field, location: 'body' } as const);
  return new PayPalError(422, [{ ...place, issue, description }]);
}

export function noSuchResource(): PayPalError {
  const description = 'There is no resource with this id.';
  return new PayPalError(404, [{ issue: 'INVALID_RESOURCE_ID', location: 'path', description }]);
}

/** @throws PayPalError 400 with all flaws at once, as PayPal reports them */
export function valueOf<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw new PayPalError(400, parsed.flaws.map(issueOf));
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
  minItems: 'INVALID_ARRAY_MAX_ITEMS',
  maxItems: 'INVALID_ARRAY_MAX_ITEMS',
};

function issueOf({ path, keyword, message }: Flaw): Issue {
  const isCountry = path.at(-1) === 'country_code' && keyword !== 'required';
  const issue = isCountry ? 'INVALID_COUNTRY_CODE' : (ISSUES[keyword] ?? 'INVALID_PARAMETER_VALUE');
  return { field: `/${path.join('/')}`, location: 'body', issue, description: message };
}
