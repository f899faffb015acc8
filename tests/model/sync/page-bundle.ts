/**
 * The product's own page code, bundled once for a project. Each tab runs the bundle afresh, so each
 * has module state, Dexie and stores of its own, as a real page has, and all of it is garbage when
 * the tab is gone.
 *
 * The bundle is what `src/services.ts` starts, the first read and the mutations that taps call. React
 * is not in it. supabase-js is replaced (`fake-supabase-js.ts`), and so is the IndexedDB that the
 * product falls back to.
 */
import { join } from 'node:path';
import { Script } from 'node:vm';
import { build } from 'vite';
import type { PageHost } from './page-host.ts';

export const SHOP_URL = 'https://shop.weft.test';
export const KEY = 'sb_publishable_simulated';

/** What the simulator calls of the product, by file. */
const SURFACE = {
  'src/services.ts': ['startServices'],
  'src/db/first-read.ts': ['fillStores'],
  'src/db/connection.ts': ['connection'],
  'src/db/shopper-change.ts': ['change', 'changeAgain', 'onLateChange'],
  'src/db/shopper-log.ts': ['readShopperState', 'dismissRefused'],
  'src/db/shopper-store.ts': ['shopperStore'],
  'src/db/catalogue-store.ts': ['catalogueStore'],
  'src/cart/mutations.ts': ['addToCart', 'changeQuantity', 'removeLine', 'clearCart'],
  'src/favourites/mutations.ts': ['setFavourite'],
  'src/account/mutations.ts': ['signIn', 'logOut'],
  'src/ui/notices.ts': ['subscribeToNotices'],
  'src/ui/not-stored.ts': ['tellWaiting'],
} as const;

export type PageModules = Pick<typeof import('../../../src/services.ts'), 'startServices'> &
  Pick<typeof import('../../../src/db/first-read.ts'), 'fillStores'> &
  Pick<typeof import('../../../src/db/connection.ts'), 'connection'> &
  Pick<
    typeof import('../../../src/db/shopper-change.ts'),
    'change' | 'changeAgain' | 'onLateChange'
  > &
  Pick<typeof import('../../../src/ui/not-stored.ts'), 'tellWaiting'> &
  Pick<typeof import('../../../src/db/shopper-log.ts'), 'readShopperState' | 'dismissRefused'> &
  Pick<typeof import('../../../src/db/shopper-store.ts'), 'shopperStore'> &
  Pick<typeof import('../../../src/db/catalogue-store.ts'), 'catalogueStore'> &
  Pick<
    typeof import('../../../src/cart/mutations.ts'),
    'addToCart' | 'changeQuantity' | 'removeLine' | 'clearCart'
  > &
  Pick<typeof import('../../../src/favourites/mutations.ts'), 'setFavourite'> &
  Pick<typeof import('../../../src/account/mutations.ts'), 'signIn' | 'logOut'> &
  Pick<typeof import('../../../src/ui/notices.ts'), 'subscribeToNotices'>;

/** Runs the page's code for one tab; call it as that tab (`Clock.as`). */
export type StartPage = (host: PageHost) => PageModules;

const ENTRY = '\0page';
const MEMORY = '\0memory';

/** @param project folder that holds `src` */
export async function bundlePage(project: string): Promise<StartPage> {
  const output = await build({
    configFile: false,
    root: project,
    logLevel: 'silent',
    publicDir: false,
    define: {
      'import.meta.env.VITE_SUPABASE_URL': JSON.stringify(SHOP_URL),
      'import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY': JSON.stringify(KEY),
      'import.meta.env.VITE_SITE_URL': JSON.stringify(SHOP_URL),
    },
    resolve: {
      alias: [
        { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
        {
          find: '@supabase/supabase-js',
          replacement: join(import.meta.dirname, 'fake-supabase-js.ts'),
        },
      ],
    },
    plugins: [
      {
        name: 'simulated-page',
        enforce: 'pre',
        resolveId: (id) =>
          id === 'virtual:page' ? ENTRY : id === 'fake-indexeddb' ? MEMORY : undefined,
        load: (id) => (id === ENTRY ? entry() : id === MEMORY ? MEMORY_MODULE : undefined),
      },
    ],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'es2024',
      rolldownOptions: {
        input: 'virtual:page',
        preserveEntrySignatures: 'strict',
        output: { format: 'iife', name: 'page', codeSplitting: false },
      },
    },
  });
  const [first] = [output].flat();
  const code = first && 'output' in first ? first.output[0].code : '';
  const names = ['Date', 'Response', 'performance', 'console', 'host'];
  const script = new Script(`(function (${names.join()}) {${code}\nreturn page;})`, {
    filename: `page of ${project}`,
  });
  const run = script.runInThisContext() as (...values: unknown[]) => PageModules;
  return (host) => run(host.Date, host.Response, host.performance, host.console, host);
}

function entry(): string {
  const lines = Object.entries(SURFACE).map(
    ([file, names]) => `export { ${names.join(', ')} } from '/${file}';`,
  );
  return lines.join('\n');
}

const MEMORY_MODULE = `
  export const IDBKeyRange = host.IDBKeyRange;
  export class IDBFactory { constructor() { return host.newMemory(); } }`;
