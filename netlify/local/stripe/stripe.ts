/**
 * Emulates Stripe where the shop has no keys: its API, its payment page and its webhooks, as far as
 * the shop uses them. No money moves. The official SDK is its client.
 */
import type { Call } from '../provider/emulator.ts';
import type { RequestFault } from '../provider/faults.ts';
import { actionOf } from '../provider/page.ts';
import type { StripeOptions } from './account.ts';
import { StripeAccount } from './account.ts';
import { StripeApi } from './api.ts';
import { answerPage } from './pages.ts';

export class LocalStripe extends StripeAccount {
  readonly #api = new StripeApi(this, this.state.answers);

  constructor(options: StripeOptions = {}) {
    super(options);
  }

  override tick(): void {
    super.tick();
    this.#api.forgetOld(this.now());
  }

  protected override async answer(call: Call, fault?: RequestFault): Promise<Response> {
    const { method, path, query, headers, body } = call;
    if (!path.startsWith('/v1/')) return answerPage(path, actionOf(call), this);
    const form = method === 'GET' ? query.toString() : body;
    return this.#api.answer({ method, path, form, now: this.now() }, headers, fault);
  }
}
