/** The script that puts the SDK's emulator in its place, and the requests of its dialog. */
import type { Call } from '../provider/emulator.ts';
import { NO_MONEY } from '../provider/page.ts';
import type { PayPalAccount } from './account.ts';
import { PayPalError } from './failure.ts';
import { totalOf } from './pages.ts';
import { installSdk } from './sdk-in-page.ts';
import { INSTRUMENTS } from './state.ts';

const SDK_PATH = '/sdk.js';
const ORDER_PATH = /^\/sdk\/orders\/(\w+)$/;

/** Pages of other origins may use it. */
const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'access-control-allow-methods': 'GET, POST',
  'cache-control': 'no-store',
};

/** @returns undefined for paths that are not the SDK's */
export function answerSdk(
  { method, path, body }: Call,
  paypal: PayPalAccount,
): Response | undefined {
  if (path === SDK_PATH) {
    const apiUrl = paypal.baseUrl;
    const script = `(${installSdk.toString()})(${JSON.stringify({ apiUrl, band: NO_MONEY })});\n`;
    const headers = { 'content-type': 'text/javascript; charset=utf-8', ...OPEN_TO_ALL };
    return new Response(script, { headers });
  }
  const id = ORDER_PATH.exec(path)?.[1];
  if (id === undefined) return undefined;
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: OPEN_TO_ALL });
  try {
    const order = paypal.find(id);
    const instrument = method === 'POST' ? INSTRUMENTS.get(actionOf(body)) : undefined;
    if (method === 'POST' && (instrument === undefined || !paypal.approve(id, instrument))) {
      return Response.json({}, { status: 409, headers: OPEN_TO_ALL });
    }
    return Response.json({ total: totalOf(order) }, { headers: OPEN_TO_ALL });
  } catch (thrown) {
    if (!(thrown instanceof PayPalError)) throw thrown;
    return Response.json({}, { status: thrown.status, headers: OPEN_TO_ALL });
  }
}

function actionOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { action?: unknown }).action;
  } catch {
    return undefined;
  }
}
