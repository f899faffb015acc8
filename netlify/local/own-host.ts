/**
 * Tells requests for this machine from requests for another host. A stranger's site can make its name resolve
 * to 127.0.0.1 (DNS rebinding). For the browser this server then has the origin of that site, whose pages
 * could read the mails here. Only the Host header still names the site.
 */
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../lib/env.ts';

export function isOwnHost({ headers }: IncomingMessage): boolean {
  const requested = URL.parse(`http://${headers.host ?? ''}`);
  return requested !== null && isLoopback(requested);
}
