/** PayPal's errors. Source: developer.paypal.com/api/rest/responses and the published schema. */
import type { Flaw, FlawKind } from '../provider/shape.ts';

export interface Issue {
  readonly issue: string;
  readonly description: string;
  /** JSON pointer into the body. */
  readonly field?: string;
  readonly value?: string;
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

export type FailureStatus = keyof typeof KINDS;

/** Says no to a request in PayPal's way. */
export class PayPalError extends Error {
  override readonly name = 'PayPalError';
  readonly status: FailureStatus;
  readonly issues: readonly Issue[];

  constructor(status: FailureStatus, issues: readonly Issue[] = []) {
    super(issues[0]?.issue ?? KINDS[status][0]);
    this.status = status;
    this.issues = issues;
  }

  body(debugId: string): object {
    const [name, message] = KINDS[this.status];
    return {
      name,
      message,
      debug_id: debugId,
      ...(this.issues.length === 0 ? {} : { details: this.issues }),
      links: [
        {
          href: `https://developer.paypal.com/api/rest/reference/orders/v2/errors/#${this.message}`,
          rel: 'information_link',
          method: 'GET',
        },
      ],
    };
  }
}

export function unprocessable(issue: string, description: string, field?: string): PayPalError {
  return new PayPalError(422, [
    field === undefined ? { issue, description } : { field, location: 'body', issue, description },
  ]);
}

export function noSuchResource(): PayPalError {
  const description = 'There is no resource with this id.';
  return new PayPalError(404, [{ issue: 'INVALID_RESOURCE_ID', location: 'path', description }]);
}

const ISSUES: Readonly<Record<FlawKind, readonly [issue: string, description: string]>> = {
  unknown: ['NOT_SUPPORTED', 'This field is not currently supported.'],
  missing: ['MISSING_REQUIRED_PARAMETER', 'A required field is missing.'],
  empty: ['INVALID_STRING_LENGTH', 'The value of a field is either too short or too long.'],
  length: ['INVALID_STRING_LENGTH', 'The value of a field is either too short or too long.'],
  type: ['INVALID_PARAMETER_SYNTAX', 'The value of a field has the wrong type.'],
  format: ['INVALID_PARAMETER_SYNTAX', 'The value of a field has the wrong format.'],
  choice: ['INVALID_PARAMETER_VALUE', 'The value of a field is not one of those allowed.'],
  range: ['INVALID_PARAMETER_VALUE', 'The value of a field is too small or too large.'],
  count: ['INVALID_ARRAY_MAX_ITEMS', 'The number of entries is too small or too large.'],
};

/** All flaws of a body at once, as PayPal reports them. */
export function malformed(flaws: readonly Flaw[]): PayPalError {
  const issues = flaws.map(({ kind, path, shape, value }): Issue => {
    const [issue, description] = ISSUES[kind];
    const isCountry = shape?.kind === 'text' && shape.like?.name === 'country';
    const where = { field: `/${path.join('/')}`, location: 'body' } as const;
    return {
      ...where,
      ...(typeof value === 'string' ? { value } : {}),
      issue: isCountry ? 'INVALID_COUNTRY_CODE' : issue,
      description,
    };
  });
  return new PayPalError(400, issues);
}

export function notJson(): PayPalError {
  const description = 'The request JSON is not well formed.';
  return new PayPalError(400, [{ issue: 'MALFORMED_REQUEST_JSON', location: 'body', description }]);
}
