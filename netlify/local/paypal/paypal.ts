/**
 * Emulates PayPal where the shop has no keys: its API, its browser SDK and its webhooks,
 * as far as the shop uses them. No money moves.
 */
import type { Call } from '../provider/emulator.ts';
import type { RequestFault } from '../provider/faults.ts';
import { actionOf } from '../provider/page.ts';
import { PayPalAccount } from './account.ts';
import { PayPalApi } from './api.ts';
import { answerApproval } from './approval-page.ts';
import { answerPage } from './pages.ts';
import { answerSdk } from './sdk.ts';

export class LocalPayPal extends PayPalAccount {
  readonly #api = new PayPalApi(this);

  override tick(): void {
    this.#api.forgetOld();
  }

  protected override async answer(call: Call, fault?: RequestFault): Promise<Response> {
    if (/^\/v\d\//.test(call.path)) return this.#api.answer(call, fault);
    return (
      answerSdk(call, this) ??
      answerApproval(call, this) ??
      answerPage(call.path, actionOf(call), this)
    );
  }
}
