/** Stripe's errors. Source: docs.stripe.com/api/errors and docs.stripe.com/error-codes. */

interface ErrorFields {
  readonly message: string;
  readonly type?: 'idempotency_error' | 'api_error';
  readonly code?: string | undefined;
  readonly param?: string;
}

/** Rejects a request in Stripe's way. */
export class StripeError extends Error {
  override readonly name = 'StripeError';
  readonly status: number;
  readonly #fields: ErrorFields;

  constructor(status: number, fields: ErrorFields) {
    super(fields.message);
    this.status = status;
    this.#fields = fields;
  }

  get body(): string {
    return JSON.stringify({ error: { type: 'invalid_request_error', ...this.#fields } }, null, 2);
  }
}
