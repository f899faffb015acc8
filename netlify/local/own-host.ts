/**
 * Recognises requests for another host. A stranger's site can make its name resolve to 127.0.0.1 (DNS
 * rebinding); its pages could then read the mails here, because for the browser they have the same origin.
 * Only the Host header shows it.
 */
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../lib/env.ts';

export function isOwnHost({ headers }: IncomingMessage): boolean {
  const requested = URL.parse(`http://${headers.host ?? ''}`);
  return requested !== null && isLoopback(requested);
}
