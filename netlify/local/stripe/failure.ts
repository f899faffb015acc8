/** Stripe's errors. Source: docs.stripe.com/api/errors and docs.stripe.com/error-codes. */

export interface StripeErrorBody {
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'card_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
}

/** Says no to a request in Stripe's way. */
export class StripeError extends Error {
  override readonly name = 'StripeRefusal';
  readonly status: number;
  readonly error: StripeErrorBody;

  constructor(status: number, error: StripeErrorBody) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

/** @param param as the request spells it, such as `line_items[0][quantity]` */
export function invalid(message: string, code?: string, param?: string): StripeError {
  return new StripeError(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

export function noSuch(what: string, id: string, param: string): StripeError {
  const message = `No such ${what}: '${id}'`;
  const error = {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message,
    param,
  } as const;
  return new StripeError(404, error);
}

export function unauthorized(message: string): StripeError {
  return new StripeError(401, { type: 'invalid_request_error', message });
}
