/** WebSockets on the host of this machine: Realtime, and Vite's hot reload beside it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createServer as createViteServer } from 'vite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../supabase/shop.ts';
import { openBackendForFile } from '../supabase/shop-for-file.ts';
import { startTestHost } from './start-host.ts';

const backend = await openBackendForFile();

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
  const site = { kind: 'middleware', handle: vite.middlewares } as const;
  const host = await startTestHost({ backend, server, site });
  const { port } = new URL(host.url);
  const hot = new WebSocket(
    `ws://localhost:${port}/?token=${vite.config.webSocketToken}`,
    'vite-hmr',
  );
  const [{ data }] = (await once(hot, 'message')) as [{ data: string }];
  expect(JSON.parse(data)).toEqual({ type: 'connected' });
  const query = `apikey=${backend.publishableKey}&vsn=2.0.0`;
  await once(new WebSocket(`ws://127.0.0.1:${port}/realtime/v1/websocket?${query}`), 'open');
  expect(hot.readyState).toBe(WebSocket.OPEN);
  await vite.close();
  await host.close();
});
