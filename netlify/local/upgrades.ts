/** Takes the host's websockets for Realtime. In `npm run dev` it leaves those of hot reload to Vite. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Realtime, rejectUpgrade } from '../../supabase/local/realtime.ts';
import { isOwnHost } from './own-host.ts';

const REALTIME = /^\/realtime\/v1\/websocket(\?|$)/;

export interface Upgrades {
  /** Cuts all websockets, for which the http server would wait when it closes. */
  cutAll(): void;
}

/** @param leavesOthers whether another handler of this server takes the websockets of other paths */
export function serveUpgrades(
  server: Server,
  realtime: Realtime,
  { leavesOthers }: { readonly leavesOthers: boolean },
): Upgrades {
  const open = new Set<Duplex>();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    if (!isOwnHost(request)) rejectUpgrade(socket, '421 Misdirected Request');
    else if (REALTIME.test(request.url ?? '')) realtime.upgrade(request, socket, head);
    else if (!leavesOthers) rejectUpgrade(socket, '404 Not Found');
  });
  return {
    cutAll() {
      for (const socket of open) socket.destroy();
    },
  };
}
