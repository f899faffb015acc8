/**
 * Bundles the shop's own page code once for a project. Each tab runs the bundle anew, so each has its own
 * module state, Dexie and stores, as a real page has.
 *
 * The bundle holds what `src/services.ts` starts, the first read and the mutations that buttons call. Some of
 * these modules import React, which draws nothing here. Two modules are replaced: supabase-js
 * (`fake-supabase-js.ts`), and the IndexedDB in JavaScript to which the page falls back (`host.newMemory`).
 */
import { dirname, join, relative, resolve } from 'node:path';
import { Script } from 'node:vm';
import { build } from 'vite';
import { PROJECT } from '../kit/project.ts';
import type { PageHost } from './page-host.ts';

/** The address of the simulated shop, and of its backend. */
export const SHOP_URL = 'https://shop.weft.test';
/** Any key will do: the simulated gateway does not read it. */
const PUBLISHABLE_KEY = 'sb_publishable_simulated';

/** The page's modules, as one tab has them. */
export type PageModules = typeof import('./page-surface.ts');

/** Runs the page's code for one tab. The caller must run as that tab (`Clock.runAs`). */
export type StartPage = (host: PageHost) => PageModules;

const SURFACE = join(import.meta.dirname, 'page-surface.ts');
/** The id of the module that replaces fake-indexeddb in the page. */
const MEMORY = '\0memory';

/**
 * Returns the function that runs the page's code in a tab.
 *
 * @param project folder that holds `src`
 */
export async function bundlePage(project: string): Promise<StartPage> {
  const output = await build({
    configFile: false,
    root: project,
    logLevel: 'silent',
    publicDir: false,
    define: {
      'import.meta.env.VITE_SUPABASE_URL': JSON.stringify(SHOP_URL),
      'import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY': JSON.stringify(PUBLISHABLE_KEY),
      'import.meta.env.VITE_SITE_URL': JSON.stringify(SHOP_URL),
    },
    resolve: {
      alias: [
        // Dexie's own entry shares one Dexie in the whole process; here each tab needs one of its own.
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
          // `page-surface.ts` is this project's; the modules that it exports are the given project's.
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
  const [first] = [output].flat(); // Vite returns a list only for several outputs
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
