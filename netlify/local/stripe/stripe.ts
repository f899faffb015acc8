/**
 * Emulates Stripe where the shop has no keys: its API, its payment page and its webhooks, as far as
 * the shop uses them. No money moves. The official SDK is its client.
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
