/**
 * Stripe's idempotency keys: the first answer is kept and given again, a 500 too. A request that
 * was refused for its parameters, or because its key is in use, has not begun, so nothing is kept.
 *
 * Source: docs.stripe.com/api/idempotent_requests and docs.stripe.com/error-low-level.
 */
import { StripeError } from './failure.ts';
import { sameForm } from './form.ts';
import type { StoredAnswer, StripeState } from './state.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
const LONGEST_KEY = 255;

export interface KeyedCall {
  readonly key: string | null;
  readonly path: string;
  readonly form: string;
  readonly now: number;
}

export interface Outcome {
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
}

export interface KeyedOutcome extends Outcome {
  /** The request whose answer this is, when it is not this one. */
  readonly replayOf?: string;
}

export class IdempotencyKeys {
  readonly #answers: StripeState['answers'];
  readonly #inUse = new Set<string>();

  constructor(answers: StripeState['answers']) {
    this.#answers = answers;
  }

  /**
   * @param begin gives the answer to keep, or throws when the request does not even begin
   * @throws StripeRefusal 400 for a key that belongs to another request, 409 while it is in use
   */
  async run(call: KeyedCall, begin: () => Promise<Outcome>): Promise<KeyedOutcome> {
    const { key, path, form, now } = call;
    if (key === null) return begin();
    if (key === '' || key.length > LONGEST_KEY) {
      throw refusal(400, `An idempotency key has from 1 to ${LONGEST_KEY} characters.`);
    }
    const kept = this.#answers[key];
    if (kept !== undefined && now - kept.at < KEPT_MS) return replay(kept, call);
    if (this.#inUse.has(key)) {
      const message = `Another request with the idempotency key ${key} is still in progress. Please try again later.`;
      throw refusal(409, message, 'idempotency_key_in_use');
    }
    this.#inUse.add(key);
    try {
      const outcome = await begin();
      const { status, body, requestId } = outcome;
      this.#answers[key] = { path, form, at: now, status, body, requestId };
      return outcome;
    } finally {
      this.#inUse.delete(key);
    }
  }

  /** Keys are kept for a day. */
  forgetOld(now: number): void {
    for (const [key, { at }] of Object.entries(this.#answers)) {
      if (now - at >= KEPT_MS) delete this.#answers[key];
    }
  }
}

function replay(kept: StoredAnswer, { key, path, form }: KeyedCall): KeyedOutcome {
  if (kept.path !== path) {
    throw refusal(
      400,
      `An idempotency key serves one endpoint; ${key} was first used for ${kept.path}, not ${path}.`,
    );
  }
  if (!sameForm(kept.form, form)) {
    throw refusal(
      400,
      `Keys for idempotent requests can only be used with the same parameters they were first used with; ${key} came with others.`,
    );
  }
  const { status, body, requestId } = kept;
  return { status, body, requestId, replayOf: requestId };
}

function refusal(status: number, message: string, code?: string): StripeError {
  const error = { type: 'idempotency_error', message } as const;
  return new StripeError(status, code === undefined ? error : { ...error, code });
}
