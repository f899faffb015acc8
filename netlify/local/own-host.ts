/**
 * Refuses requests for another host. A page of a stranger's site whose name resolves to 127.0.0.1 (DNS
 * rebinding) is of the same origin as this shop for the browser, and could read the mails here; only the
 * Host header tells.
 */
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../lib/env.ts';

/** @param ownUrl the shop's address, which is not loopback where it was opened for other machines */
export function isOwnHost({ headers }: IncomingMessage, ownUrl: string): boolean {
  const asked = URL.parse(`http://${headers.host ?? ''}`);
  return asked !== null && (isLoopback(asked) || asked.hostname === new URL(ownUrl).hostname);
}
