/**
 * The product's own page code, bundled once for a project. Each tab runs the bundle afresh, so each
 * has module state, Dexie and stores of its own, as a real page has, and all of it is garbage when
 * the tab is gone.
 *
 * The bundle is what `src/services.ts` starts, the first read and the mutations that taps call. React
 * is not in it. supabase-js is replaced (`fake-supabase-js.ts`), and so is the IndexedDB that the
 * product falls back to.
 */
import { dirname, join, relative, resolve } from 'node:path';
import { Script } from 'node:vm';
import { build } from 'vite';
import { PROJECT } from '../kit/project.ts';
import type { PageHost } from './page-host.ts';

export const SHOP_URL = 'https://shop.weft.test';
export const KEY = 'sb_publishable_simulated';

export type PageModules = typeof import('./page-surface.ts');

/** Runs the page's code for one tab; call it as that tab (`Clock.as`). */
export type StartPage = (host: PageHost) => PageModules;

const SURFACE = join(import.meta.dirname, 'page-surface.ts');
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
        resolveId(id, importer) {
          if (id === 'fake-indexeddb') return MEMORY;
          // The surface is of this project; what it exports is of the given one.
          if (importer !== SURFACE) return undefined;
          return join(project, relative(PROJECT, resolve(dirname(SURFACE), id)));
        },
        load: (id) => (id === MEMORY ? MEMORY_MODULE : undefined),
      },
    ],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'es2024',
      rolldownOptions: {
        input: SURFACE,
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

const MEMORY_MODULE = `
  export const IDBKeyRange = host.IDBKeyRange;
  export class IDBFactory { constructor() { return host.newMemory(); } }`;
