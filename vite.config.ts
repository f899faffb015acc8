import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { loadEnv, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { LOCAL_PUBLISHABLE_KEY } from './supabase/local/keys.ts';

/**
 * Two builds come from this file.
 *
 * - mode `embedded` (`npm start`, `npm run dev`, tests): the backend is on the page's own origin,
 *   its publishable key is a constant.
 * - mode `production` (`npm run build`, what Netlify runs): everything comes from the environment;
 *   a missing name stops the build, because a shop without a backend must not go live unnoticed.
 */
export default defineConfig(({ mode }) => {
  const env = { ...loadEnv(mode, import.meta.dirname, 'VITE_'), ...process.env };
  const embedded = mode !== 'production';
  const url = embedded ? '' : env['VITE_SUPABASE_URL'];
  const key = embedded ? LOCAL_PUBLISHABLE_KEY : env['VITE_SUPABASE_PUBLISHABLE_KEY'];
  const storeName = env['VITE_STORE_NAME'] || 'Weft';

  return {
    clearScreen: false,
    // Dexie's own entry is its ES5 build; this one is for the browsers we build for, and smaller.
    resolve: { alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }] },
    define: {
      'import.meta.env.VITE_SUPABASE_URL': JSON.stringify(url ?? ''),
      'import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY': JSON.stringify(key ?? ''),
      'import.meta.env.VITE_STORE_NAME': JSON.stringify(storeName),
    },
    build: {
      target: 'es2023',
      cssMinify: true,
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          codeSplitting: {
            // What the first screen needs is one file. Left to itself the bundler cuts it wherever a
            // later screen shares a module, and seven small files compress worse than one.
            groups: [{ name: (id, graph) => (isOnFirstScreen(id, graph) ? 'first' : null) }],
          },
        },
      },
    },
    plugins: [
      react(),
      {
        name: 'complete-configuration',
        apply: 'build',
        buildStart() {
          if (url !== undefined && key) return;
          this.error(
            'VITE_SUPABASE_URL and VITE_SUPABASE_PUBLISHABLE_KEY must be set for a production ' +
              'build. .env.example says where to find them; `npm start` needs neither.',
          );
        },
      },
      {
        name: 'store-name-in-html',
        transformIndexHtml: (html) => html.replaceAll('%STORE_NAME%', escapeHtml(storeName)),
      },
      VitePWA({
        strategies: 'injectManifest',
        srcDir: 'sw',
        filename: 'sw.ts',
        injectRegister: false,
        manifest: {
          id: '/',
          name: storeName,
          short_name: storeName,
          description: 'Clothes, carefully made. The shop works without a signal.',
          start_url: '/',
          scope: '/',
          display: 'standalone',
          background_color: '#f6f3ec',
          theme_color: '#f6f3ec',
          icons: [
            { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
            { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
            {
              src: '/icons/maskable-512.png',
              sizes: '512x512',
              type: 'image/png',
              purpose: 'maskable',
            },
          ],
        },
        injectManifest: {
          globPatterns: [
            'index.html',
            '404.html',
            'assets/*.{js,css,woff2}',
            'icons/icon.svg',
            'pictures/none.svg',
          ],
        },
      }),
    ],
    test: {
      include: ['tests/**/*.test.{ts,tsx}'],
      exclude: ['tests/postgres/**'],
      environment: 'node',
      expect: { poll: { timeout: 10_000 } },
      testTimeout: 60_000,
      hookTimeout: 120_000,
      maxWorkers: 2,
      globalSetup: ['tests/build-once.ts'],
    },
  };
});

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1];

const MAIN = join(import.meta.dirname, 'src/main.tsx');

/** Whether `main.tsx` imports a module, directly or through others, without `import()`. */
function isOnFirstScreen(id: string, graph: Graph): boolean {
  let reached = onFirstScreen.get(graph);
  if (!reached) {
    reached = new Set([MAIN]);
    // A set hands out what is added to it while it is walked.
    for (const each of reached) {
      for (const imported of graph.getModuleInfo(each)?.importedIds ?? []) reached.add(imported);
    }
    onFirstScreen.set(graph, reached);
  }
  return reached.has(id);
}

const onFirstScreen = new WeakMap<Graph, Set<string>>();

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
