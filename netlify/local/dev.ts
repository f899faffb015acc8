/** `npm run dev`: the same shop as `npm start`, from its sources and with hot reload. */
import { createServer as createHttpServer } from 'node:http';
import { createServer as createViteServer } from 'vite';
import { runScript } from '../../supabase/local/script.ts';
import { openShop, ROOT } from './shop.ts';

await runScript(() =>
  openShop(async () => {
    console.log('Starting hot reload …');
    const server = createHttpServer();
    const vite = await createViteServer({
      root: ROOT,
      mode: 'embedded',
      logLevel: 'warn',
      // Not `spa`: an unknown path must be a 404 here too. The host rewrites the app's own routes.
      appType: 'mpa',
      server: { middlewareMode: true, hmr: { server } },
    });
    return { server, site: { kind: 'middleware', handle: vite.middlewares } };
  }),
);
