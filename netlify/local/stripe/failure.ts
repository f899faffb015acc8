/** Stripe's errors. Source: docs.stripe.com/api/errors. */

interface ErrorFields {
  readonly message: string;
  readonly type?: 'idempotency_error' | 'api_error';
  readonly code?: string;
  readonly param?: string;
}

/** Rejects a request in Stripe's way. */
export class StripeError extends Error {
  override readonly name = 'StripeError';
  readonly status: number;
  readonly body: string;

  constructor(status: number, fields: ErrorFields) {
    super(fields.message);
    this.status = status;
    this.body = JSON.stringify({ error: { type: 'invalid_request_error', ...fields } }, null, 2);
  }
}
