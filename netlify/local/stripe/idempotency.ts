/**
 * Stripe's idempotency keys: the first answer is kept for a day and given again, a 500 too. A request
 * that was rejected for its parameters, or because its key is in use, has not begun, so nothing is
 * kept.
 *
 * Source: docs.stripe.com/api/idempotent_requests and docs.stripe.com/error-low-level.
 */
import type { ApiCall } from './endpoints.ts';
import { StripeError } from './failure.ts';
import { isSameForm } from './form.ts';
import type { StoredAnswer, StripeState } from './state.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

export interface Outcome {
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
}

export class IdempotencyKeys {
  readonly #answers: StripeState['answers'];
  readonly #inUse = new Set<string>();

  constructor(answers: StripeState['answers']) {
    this.#answers = answers;
  }

  /**
   * @param begin gives the answer to keep, or throws when the request does not even begin
   * @throws StripeError 400 for a key that belongs to another request, 409 while it is in use
   */
  async run(
    key: string | null,
    call: ApiCall,
    begin: () => Promise<Outcome>,
  ): Promise<Outcome & { isReplay: boolean }> {
    const { path, form, now } = call;
    if (key === null) return { ...(await begin()), isReplay: false };
    const kept = this.#answers[key];
    if (kept !== undefined) {
      checkSameRequest(kept, call);
      return { ...kept, isReplay: true };
    }
    if (this.#inUse.has(key)) {
      throw idempotencyError(
        409,
        'Another request with this idempotency key is still in progress.',
        'idempotency_key_in_use',
      );
    }
    this.#inUse.add(key);
    try {
      const outcome = await begin();
      this.#answers[key] = { path, form, at: now, ...outcome };
      return { ...outcome, isReplay: false };
    } finally {
      this.#inUse.delete(key);
    }
  }

  /** Every request does so first. */
  forgetOld(now: number): void {
    for (const [key, { at }] of Object.entries(this.#answers)) {
      if (now - at >= KEPT_MS) delete this.#answers[key];
    }
  }
}

function checkSameRequest(kept: StoredAnswer, { path, form }: ApiCall): void {
  if (kept.path === path && isSameForm(kept.form, form)) return;
  const message =
    'Keys for idempotent requests can only be used with the same endpoint and parameters they ' +
    `were first used with; this one was first used for ${kept.path}.`;
  throw idempotencyError(400, message);
}

function idempotencyError(status: number, message: string, code?: string): StripeError {
  const error = { type: 'idempotency_error', message } as const;
  return new StripeError(status, code === undefined ? error : { ...error, code });
}
