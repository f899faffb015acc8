/** PayPal's errors. Source: developer.paypal.com/api/rest/responses. */

export const ERROR_NAMES = {
  404: 'RESOURCE_NOT_FOUND',
  409: 'RESOURCE_CONFLICT',
  422: 'UNPROCESSABLE_ENTITY',
  429: 'RATE_LIMIT_REACHED',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const;

/** Rejects a request in PayPal's way. */
export class PayPalError extends Error {
  override readonly name = 'PayPalError';
  readonly status: keyof typeof ERROR_NAMES;
  readonly issue: string;

  constructor(status: keyof typeof ERROR_NAMES, issue: string, message: string) {
    super(message);
    this.status = status;
    this.issue = issue;
  }

  body(debugId: string): object {
    const { status, issue, message } = this;
    return {
      name: ERROR_NAMES[status],
      message,
      debug_id: debugId,
      details: [{ issue, description: message }],
    };
  }
}

export function unprocessable(issue: string, message: string): PayPalError {
  return new PayPalError(422, issue, message);
}

export function noSuchResource(): PayPalError {
  return new PayPalError(404, 'INVALID_RESOURCE_ID', 'There is no resource with this id.');
}
