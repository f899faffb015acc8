/** `npm start`: builds the site and serves it with the embedded backend. */
import { join } from 'node:path';
import { runScript } from '../../supabase/local/script.ts';
import { buildQuietly } from './build-quietly.ts';
import { openShop, ROOT } from './shop.ts';

await runScript(() =>
  openShop(async () => {
    console.log('Building the site …');
    await buildQuietly();
    return { site: { kind: 'built', folder: join(ROOT, 'dist') } };
  }),
);
