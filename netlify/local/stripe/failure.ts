/** Stripe's errors. Source: docs.stripe.com/api/errors and docs.stripe.com/error-codes. */

export interface StripeError {
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'card_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
}

/** Says no to a request in Stripe's way. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
  readonly status: number;
  readonly error: StripeError;

  constructor(status: number, error: StripeError) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

/** @param param as the request spells it, such as `line_items[0][quantity]` */
export function invalid(message: string, code?: string, param?: string): StripeRefusal {
  return new StripeRefusal(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

export function noSuch(what: string, id: string, param: string): StripeRefusal {
  const message = `No such ${what}: '${id}'`;
  const error = {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message,
    param,
  } as const;
  return new StripeRefusal(404, error);
}

export function unauthorized(message: string): StripeRefusal {
  return new StripeRefusal(401, { type: 'invalid_request_error', message });
}
