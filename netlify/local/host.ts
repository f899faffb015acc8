/**
 * Serves the shop on this machine as Netlify and a hosted Supabase project would together; see
 * `router.ts`. Realtime's websockets are at /realtime/v1/websocket.
 *
 * It listens on loopback only, on IPv4 and, where there is one, IPv6: browsers resolve `localhost`
 * to either.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PlainFailure } from '../../supabase/local/failures.ts';
import { listen, stop } from './listen.ts';
import { createRouter, type RouterOptions } from './router.ts';
import { serveUpgrades } from './upgrades.ts';

export interface HostOptions extends RouterOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The server to use, where something else, such as hot reload, listens to it as well. */
  readonly server?: Server;
}

export interface Host {
  readonly url: string;
  close(): Promise<void>;
}

export class PortInUse extends PlainFailure {
  override readonly name = 'PortInUse';
  constructor(port: number, cause: unknown) {
    super(
      `Port ${port} is in use by another program. ` +
        `Stop that one, or choose another port: PORT=${port + 1} npm start.`,
      { cause },
    );
  }
}

const IPV4 = '127.0.0.1';
const IPV6 = '::1';

/** Serves the shop until it is closed. @throws PortInUse */
export async function startHost(options: HostOptions): Promise<Host> {
  const server = options.server ?? createServer();
  const router = createRouter(options, () => url);
  server.on('request', router);
  const { realtime } = options.backend;
  const upgrades = serveUpgrades(server, realtime, {
    leavesOthers: options.site?.kind === 'middleware',
  });
  await listenAt(server, options.port, IPV4);
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}`; // from here on a request may come, and the router needs it
  const second = await listenOnIpv6(server, router, port).catch(async (thrown) => {
    await stop(server);
    throw thrown;
  });
  const servers = second === undefined ? [server] : [server, second];
  options.backend.useSiteUrl(url);
  options.payments?.sendWebhooksTo(url);
  return {
    url,
    async close() {
      upgrades.cutAll();
      await Promise.all(servers.map(stop));
    },
  };
}

/**
 * Checks that a port is free, before the slow parts of the shop start.
 *
 * @throws PortInUse
 */
export async function checkPort(port: number): Promise<void> {
  const probe = createServer();
  await listenAt(probe, port, IPV4);
  await stop(probe);
}

/** @throws PortInUse */
async function listenAt(server: Server, port: number, hostname: string): Promise<void> {
  try {
    await listen(server, port, hostname);
  } catch (thrown) {
    const isInUse = thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE';
    throw isInUse ? new PortInUse(port, thrown) : thrown;
  }
}

/** Opens a second listener for the same shop; undefined where the machine has no IPv6. @throws PortInUse */
async function listenOnIpv6(first: Server, router: RequestListener, port: number) {
  const second = createServer(router);
  second.on('upgrade', (...upgrade) => first.emit('upgrade', ...upgrade));
  try {
    await listenAt(second, port, IPV6);
    return second;
  } catch (thrown) {
    if (thrown instanceof PortInUse) throw thrown;
    return undefined;
  }
}
