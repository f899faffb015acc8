/**
 * Emulates PayPal where the shop has no keys: the calls of the shop's client, the browser SDK and the webhooks. No
 * money moves.
 */
import type { Call } from '../provider/emulator.ts';
import { PayPalAccount } from './account.ts';
import { answerApi } from './api.ts';
import { answerPage } from './pages.ts';

export class LocalPayPal extends PayPalAccount {
  protected override answer(call: Call): Promise<Response> {
    // The paths of PayPal's API begin with a version.
    return /^\/v\d\//.test(call.path) ? answerApi(call, this) : answerPage(call, this);
  }
}
