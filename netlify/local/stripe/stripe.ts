/**
 * Emulates Stripe where the shop has no keys: the calls that the shop makes with Stripe's own SDK, the payment page
 * and the webhooks. No money moves.
 */
import type { Call } from '../provider/emulator.ts';
import { StripeAccount } from './account.ts';
import { answerApi } from './api.ts';
import { answerPage } from './pages.ts';

export class LocalStripe extends StripeAccount {
  protected override answer(call: Call): Promise<Response> {
    return call.path.startsWith('/v1/') ? answerApi(call, this) : answerPage(call, this);
  }
}
