/** WebSockets on the host of this machine: Realtime, and Vite's hot reload beside it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createServer as createViteServer } from 'vite';
import { expect, test } from 'vitest';
import type { HostOptions } from '../../netlify/local/host.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { openBackendForFile } from '../supabase/shop-for-file.ts';
import { startTestHost } from './start-host.ts';

const backend = await openBackendForFile();

const start = (options: Partial<HostOptions> = {}) => startTestHost({ backend, ...options });

const realtimeOf = ({ port }: URL, address: string) =>
  `ws://${address}:${port}/realtime/v1/websocket?apikey=${backend.publishableKey}&vsn=2.0.0`;

async function heartbeat(socket: WebSocket): Promise<unknown> {
  socket.send('[null,"1","phoenix","heartbeat",{}]');
  const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
  return JSON.parse(data);
}
const HEARTBEAT_REPLY = [null, '1', 'phoenix', 'phx_reply', { status: 'ok', response: {} }];

test('Realtime answers on IPv4 and IPv6, and closing the shop closes its sockets', async () => {
  const host = await start();
  const sockets: WebSocket[] = [];
  for (const address of ['127.0.0.1', '[::1]']) {
    const socket = new WebSocket(realtimeOf(new URL(host.url), address));
    sockets.push(socket);
    await once(socket, 'open');
    expect(await heartbeat(socket)).toEqual(HEARTBEAT_REPLY);
  }
  expect(backend.realtime.socketCount).toBe(2);
  const ends = sockets.map((socket) => once(socket, 'close'));
  await host.close();
  await Promise.all(ends);
  expect(backend.realtime.socketCount).toBe(0);
});

test('hot reload and Realtime have their websockets on one server', async () => {
  await using folder = await temporaryFolder();
  const server = createServer();
  const vite = await createViteServer({
    root: folder.path,
    configFile: false,
    cacheDir: join(folder.path, 'cache'),
    logLevel: 'silent',
    appType: 'mpa',
    server: { middlewareMode: true, hmr: { server } },
  });
  const host = await start({ server, site: { kind: 'middleware', handle: vite.middlewares } });
  const address = `ws://localhost:${new URL(host.url).port}/?token=${vite.config.webSocketToken}`;
  const hot = new WebSocket(address, 'vite-hmr');
  const [{ data }] = (await once(hot, 'message')) as [{ data: string }];
  expect(JSON.parse(data)).toEqual({ type: 'connected' });
  const realtime = new WebSocket(realtimeOf(new URL(host.url), '127.0.0.1'));
  await once(realtime, 'open');
  expect(await heartbeat(realtime)).toEqual(HEARTBEAT_REPLY);
  expect(hot.readyState).toBe(WebSocket.OPEN);
  await vite.close();
  await host.close();
});
