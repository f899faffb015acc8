/** The script that puts the SDK's emulator in its place, and what its dialog asks and tells. */
import { NO_MONEY } from '../provider/page.ts';
import { PayPalError } from './failure.ts';
import type { Orders } from './orders.ts';
import { instrumentOf, summaryOf } from './pages.ts';
import { installSdk } from './sdk-in-page.ts';

export const SDK_PATH = '/sdk.js';
const ORDER_PATH = /^\/sdk\/orders\/(\w+)$/;

/** The page is the shop's, so it comes from elsewhere. */
const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'access-control-allow-methods': 'GET, POST',
  'cache-control': 'no-store',
};

/** @param apiUrl of the emulator, as the browser reaches it */
export function sdkScript(apiUrl: string): string {
  return `(${installSdk.toString()})(${JSON.stringify({ apiUrl, band: NO_MONEY })});\n`;
}

/** @returns undefined for paths that are not the SDK's */
export function answerSdk(
  { method, path, body }: { method: string; path: string; body: string },
  orders: Orders,
  apiUrl: string,
): Response | undefined {
  if (path === SDK_PATH) {
    const headers = { 'content-type': 'text/javascript; charset=utf-8', ...OPEN_TO_ALL };
    return new Response(sdkScript(apiUrl), { headers });
  }
  const id = ORDER_PATH.exec(path)?.[1];
  if (id === undefined) return undefined;
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: OPEN_TO_ALL });
  try {
    const order = orders.find(id);
    const instrument = method === 'POST' ? instrumentOf(deedOf(body)) : undefined;
    if (method === 'POST' && (instrument === undefined || !orders.approve(id, instrument))) {
      return Response.json({}, { status: 409, headers: OPEN_TO_ALL });
    }
    return Response.json(summaryOf(order), { headers: OPEN_TO_ALL });
  } catch (thrown) {
    if (!(thrown instanceof PayPalError)) throw thrown;
    return Response.json({}, { status: thrown.status, headers: OPEN_TO_ALL });
  }
}

function deedOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { deed?: unknown }).deed;
  } catch {
    return undefined;
  }
}
