import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { loadEnv, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { crawlerTexts } from './netlify/build/crawler-texts.ts';
import { checkoutDocument, notFoundDocument } from './netlify/build/documents.ts';
import { firstMarkupPlugin } from './netlify/build/first-markup.ts';
import { faces } from './netlify/build/faces.ts';
import { footerLinks } from './netlify/build/footer-links.ts';
import { hostFiles } from './netlify/build/host-files.ts';
import { leftOut } from './netlify/build/left-out.ts';
import { LICENCES, otherLicences } from './netlify/build/licences.ts';
import { pageColours } from './netlify/build/page-colours.ts';
import { paypalInPage } from './netlify/build/paypal-in-page.ts';
import { policySettings } from './netlify/build/policy-settings.ts';
import { remoteImagesFile } from './netlify/build/remote-images.ts';
import { hasLiveKeys } from './netlify/lib/env.ts';
import { escapeMarkup } from './netlify/lib/escape.ts';
import { remoteImages } from './netlify/lib/remote-images.ts';
import { shopSettings } from './netlify/lib/shop-settings.ts';
import { LOCAL_PUBLISHABLE_KEY } from './supabase/local/keys.ts';
import { publicSecrets } from './netlify/build/public-secrets.ts';
import { quickOrFull } from './tests/full-run.ts';
import { journeyPattern } from './tests/journeys.ts';

/** Test files that `npm test` leaves out: only `npm run test:all` runs them. */
const LONG = quickOrFull(['tests/**/*.long.test.ts'], []);

/** Tests of code that runs in a page. */
const IN_PAGE = [
  'tests/{account,cart,checkout,db,import,pwa,remote,shell,sync,ui}/**/*.test.{ts,tsx}',
];

/** An expression for the backend's origin in tests: to a browser `localhost` and 127.0.0.1 are two origins. */
const SECOND_ORIGIN = "globalThis.location?.origin.replace('//localhost', '//127.0.0.1')";

/**
 * Two builds come from this file.
 *
 * - mode `embedded` (`npm start`, `npm run dev`, tests): the backend is on the page's own origin,
 *   its publishable key is a constant.
 * - mode `production` (`npm run build`, what Netlify runs): everything comes from the environment.
 *   Without the backend's address or key the build stops, because such a shop must not go live unnoticed.
 */
export default defineConfig(({ mode }) => {
  const embedded = mode !== 'production';
  // `.env` describes a deployment: its keys and its CAPTCHA are not for the shop on this machine.
  const envDir = embedded ? false : import.meta.dirname;
  const env = { ...loadEnv(mode, envDir, ['VITE_', 'SHOP_']), ...process.env };
  // Pages append paths to the address, and hosted Supabase answers `//auth/v1` with 404.
  const url = embedded ? '' : env['VITE_SUPABASE_URL']?.trim().replace(/\/+$/, '');
  const key = embedded ? LOCAL_PUBLISHABLE_KEY : env['VITE_SUPABASE_PUBLISHABLE_KEY']?.trim();
  const storeName = env['VITE_STORE_NAME'] || 'Weft';
  // Netlify sets `URL` to the site's main address, for all deploys.
  const siteUrl = embedded ? '' : (env['URL'] ?? '').replace(/\/+$/, '');
  const read = (name: string) => env[name];
  const pictures = remoteImages(url ?? '');
  const host = hostFiles(policySettings(read, embedded ? null : (url ?? '')));
  const shop = shopSettings(read);
  const colours = pageColours(import.meta.dirname);

  const define = {
    'import.meta.env.VITE_SUPABASE_URL':
      embedded && env['WEFT_SECOND_ORIGIN'] ? SECOND_ORIGIN : JSON.stringify(url ?? ''),
    'import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY': JSON.stringify(key ?? ''),
    'import.meta.env.VITE_STORE_NAME': JSON.stringify(storeName),
    'import.meta.env.VITE_TURNSTILE_SITE_KEY': JSON.stringify(env['VITE_TURNSTILE_SITE_KEY'] ?? ''),
    'import.meta.env.VITE_SITE_URL': JSON.stringify(siteUrl),
    'import.meta.env.VITE_RESIZED_PICTURES': JSON.stringify(pictures),
    'import.meta.env.VITE_FOOTER_LINKS': JSON.stringify(footerLinks(shop)),
    'import.meta.env.VITE_SHOP_CONTACT': JSON.stringify(shop.contact),
    'import.meta.env.VITE_SHOP_DELIVERY': JSON.stringify(shop.delivery),
    'import.meta.env.VITE_SHOP_RETURNS': JSON.stringify(shop.returns),
    'import.meta.env.VITE_SHOP_CARE': JSON.stringify(shop.care),
    'import.meta.env.VITE_SHOP_SIZE_GUIDE': JSON.stringify(shop.sizeGuide),
    // Says whether there are live keys, and contains no key.
    'import.meta.env.VITE_HAS_LIVE_KEYS': JSON.stringify(hasLiveKeys(read)),
    'import.meta.env.VITE_PAYPAL_ENVIRONMENT': JSON.stringify(paypalInPage(read)),
    'import.meta.env.VITE_STAFF_ROLE': JSON.stringify(
      embedded ? 'staff' : (env['STAFF_ROLE'] ?? '').trim().replace(/^\*$/, ''),
    ),
  };

  return {
    envDir,
    clearScreen: false,
    // By default these packages resolve to ES5 or development builds. The files named here are smaller, and
    // run in the browsers that the shop supports.
    resolve: {
      alias: [
        { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
        { find: /^workbox-window$/, replacement: 'workbox-window/build/workbox-window.prod.mjs' },
        // Its `exports` name no production build.
        {
          find: /^react-router$/,
          replacement: join(
            import.meta.dirname,
            'node_modules/react-router/dist/production/index.mjs',
          ),
        },
      ],
    },
    define,
    build: {
      target: 'es2023',
      cssMinify: true,
      // One stylesheet of 9 kB: its top says once in which order the layers apply, and no later screen waits for a
      // stylesheet of its own. Split by screen, the layer that resets came before or behind the others.
      cssCodeSplit: false,
      // Only browsers older than those that the shop supports need the polyfill.
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      license: { fileName: LICENCES },
      rolldownOptions: {
        output: {
          codeSplitting: {
            // `paint` draws the first products, and `first` is the shop's first screen. By itself the
            // bundler splits such chunks wherever a later screen shares a module, and seven small files
            // compress worse than one. For the same reason the forms about signing in are one chunk,
            // `account`, and the checkout with its orders is another. The modules that the forms share with
            // the services are `deferred`, so that neither waits for the other.
            groups: [
              chunkOf('paint', PAINT),
              chunkOf('first', FIRST),
              chunkOf('deferred', ACCOUNT, SERVICES),
              chunkOf('services', SERVICES),
              chunkOf('account', ACCOUNT),
              chunkOf('checkout', CHECKOUT),
              chunkOf('link', LINK),
              chunkOf('import', IMPORT),
              { name: 'memory', test: /node_modules\/fake-indexeddb\// },
            ],
          },
        },
      },
    },
    plugins: [
      faces(import.meta.dirname),
      react(),
      {
        name: 'complete-configuration',
        apply: 'build',
        buildStart() {
          if (url === undefined || !key) {
            this.error(
              'VITE_SUPABASE_URL and VITE_SUPABASE_PUBLISHABLE_KEY must be set for a production ' +
                'build. .env.example says where to find them; `npm start` needs neither.',
            );
          }
          if (!embedded && URL.parse(url)?.origin !== url) {
            this.error(
              'VITE_SUPABASE_URL must be an address without a path, such as https://abc.supabase.co.',
            );
          }
          const [secret] = publicSecrets({ ...loadEnv(mode, envDir, ''), ...env });
          if (secret !== undefined) {
            this.error(
              `${secret} holds a secret, and variables that begin with VITE_ or SHOP_ are public. Put the public value there, ` +
                'and replace the secret at its service if this build was ever published.',
            );
          }
        },
      },
      {
        name: 'configuration-in-html',
        transformIndexHtml: (html) =>
          html
            // A function, because `replaceAll` interprets `$` in a replacement text.
            .replaceAll('%STORE_NAME%', () => escapeMarkup(storeName))
            .replace('%LIGHT%', colours.light)
            .replace('%DARK%', colours.dark)
            .replaceAll('%SITE_URL%', escapeMarkup(siteUrl)),
      },
      leftOut(),
      otherLicences(import.meta.dirname),
      ...firstMarkupPlugin(import.meta.dirname, { define, plugins: [react()] }),
      notFoundDocument(storeName),
      checkoutDocument(),
      host.plugin,
      !embedded && remoteImagesFile(import.meta.dirname, pictures),
      crawlerTexts({ storeName, siteUrl, backendUrl: url ?? '', publishableKey: key ?? '' }),
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
          lang: 'en',
          categories: ['shopping'],
          start_url: '/',
          scope: '/',
          display: 'standalone',
          // The dark theme's colour has no field here: it is in the page's own head.
          background_color: colours.light,
          theme_color: colours.light,
          icons: [
            icon('icon-192', 192),
            icon('icon-512', 512),
            { ...icon('maskable-512', 512), purpose: 'maskable' },
          ],
          shortcuts: [
            { name: 'Cart', url: '/cart', icons: [icon('shortcut-cart', 96)] },
            { name: 'Favourites', url: '/?favourites=', icons: [icon('shortcut-favourites', 96)] },
          ],
          screenshots: [
            screenshot('narrow', 'The catalogue on a phone'),
            screenshot('checkout', 'The checkout on a phone'),
            screenshot('wide', 'The catalogue on a wide screen'),
          ],
        },
        // Only browsers that install the shop ask for the icons of the manifest.
        includeManifestIcons: false,
        injectManifest: {
          manifestTransforms: [host.revise],
          // The service worker keeps the scripts of the import and of staff once these were opened. A copy and a deletion
          // of a person's data need the network, and so does a shop whose browser stores nothing.
          globIgnores: ['assets/{import,worker,staff,own-data,memory}-*.{js,css}'],
          globPatterns: [
            'index.html',
            'checkout.html',
            '404.html',
            'assets/*.{js,css,woff2}',
            'icons/{icon,thread}.svg',
            'pictures/{none,later}.svg',
          ],
        },
      }),
    ],
    test: {
      environment: 'node',
      // By default the auth service's library spends a tenth of a second on each password.
      env: { LITE_AUTH_BCRYPT_COST: '4' },
      tags: [
        { name: 'long', description: 'Only in `npm run test:all`.' },
        { name: 'worker', description: 'Its pages need their service worker.' },
      ],
      tagsFilter: quickOrFull(['!long'], []),
      ...(mode === 'journeys' && { testNamePattern: journeyPattern() }),
      expect: { poll: { timeout: 30_000 } },
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // Tests in a browser mostly wait: four workers keep two cores busy.
      maxWorkers: 4,
      globalSetup: ['tests/build-once.ts'],
      projects: [
        {
          extends: true,
          // Files of one worker share its shop and its browser (tests/e2e/fixture.ts).
          test: {
            name: 'browser',
            include: ['tests/e2e/**/*.test.ts'],
            exclude: LONG,
            isolate: false,
          },
        },
        {
          extends: true,
          // Modules of the page hold state, so each test file loads modules of its own.
          test: { name: 'page', include: IN_PAGE, exclude: LONG },
        },
        {
          extends: true,
          // Loading the server's modules anew for each test file would cost a third of the time.
          test: {
            name: 'node',
            include: ['tests/**/*.test.{ts,tsx}'],
            exclude: ['tests/e2e/**', 'tests/engines/**', 'tests/postgres/**', ...IN_PAGE, ...LONG],
            isolate: false,
          },
        },
      ],
    },
  };
});

/** An icon in the manifest. */
function icon(name: string, side: number) {
  return { src: `/icons/${name}.png`, sizes: `${side}x${side}`, type: 'image/png' };
}

/** A screenshot in the manifest; only `wide` shows a wide screen. */
function screenshot(name: 'narrow' | 'checkout' | 'wide', label: string) {
  const shape =
    name === 'wide'
      ? ({ sizes: '1440x900', form_factor: 'wide' } as const)
      : ({ sizes: '720x1560', form_factor: 'narrow' } as const);
  return { src: `/screenshots/${name}.webp`, type: 'image/webp', label, ...shape };
}

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1];

const SOURCE = join(import.meta.dirname, 'src');
const PAINT = ['first-visit/first-paint.ts'];
/** `online.ts` is here because the forms of `ACCOUNT` and screens that wait for the services share it. */
const FIRST = ['main.tsx', 'ui/online.ts'];
/**
 * `services.ts`, which `main.tsx` loads next; modules that the first screen loads by `import()`; and modules that
 * several later screens share. These screens wait for the services.
 */
const SERVICES = [
  'services.ts',
  'account/menu-panel.tsx',
  'account/mutations.ts',
  // The checkout and the forms share it, and must not wait for each other.
  'browser/load-script.ts',
  'db/open.ts',
  'db/outbox.ts',
  'domain/sizes.ts',
  'shell/offline-line.tsx',
  'ui/confirm-dialog.tsx',
  '../node_modules/dexie-react-hooks/dist/dexie-react-hooks.mjs',
];
/** The forms that wait for no database; the form for a new password waits for it. */
const ACCOUNT = ['account/login.tsx', 'account/register.tsx', 'account/forgot-password.tsx'];
/** The screen to which a link in a mail leads. */
const LINK = ['account/reset-password.tsx'];
const IMPORT = ['import/page.tsx'];
const CHECKOUT = ['checkout/page.tsx', 'checkout/success.tsx', 'checkout/orders/page.tsx'];

/** A chunk with the modules that are reached from each of these lists of roots. */
function chunkOf(name: string, ...lists: readonly (readonly string[])[]) {
  return {
    name: (id: string, graph: Graph) =>
      lists.every((roots) => reachedFrom(roots, graph).has(id)) ? name : null,
  };
}

/** The roots and all modules that they import, directly or through others, without `import()`. */
function reachedFrom(roots: readonly string[], graph: Graph): ReadonlySet<string> {
  let reached = reachedByGraph.get(graph)?.get(roots);
  if (!reached) {
    reached = new Set(roots.map((root) => join(SOURCE, root)));
    // The loop also visits the modules that it adds.
    for (const id of reached) {
      for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
    }
    reachedByGraph.set(graph, new Map(reachedByGraph.get(graph)).set(roots, reached));
  }
  return reached;
}

const reachedByGraph = new WeakMap<Graph, Map<readonly string[], Set<string>>>();
