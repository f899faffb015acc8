/** Stripe's errors. Source: docs.stripe.com/api/errors and docs.stripe.com/error-codes. */

export interface StripeErrorBody {
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
}

/** Rejects a request in Stripe's way. */
export class StripeError extends Error {
  override readonly name = 'StripeError';
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
  const error = { type: 'invalid_request_error', message } as const;
  return new StripeError(400, {
    ...error,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

export function noSuchSession(id: string, param: string): StripeError {
  const message = `No such checkout.session: '${id}'`;
  const code = 'resource_missing';
  return new StripeError(404, { type: 'invalid_request_error', code, message, param });
}
