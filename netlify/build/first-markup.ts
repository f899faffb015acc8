/**
 * Writes two things into `index.html`: the markup of the first screen and of the page for unknown addresses,
 * and the addresses of the scripts that draw the rest, which the small script of the first screen
 * (src/first-visit/first-paint.ts) loads later.
 */
import { join } from 'node:path';
import { createServer, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { escapeMarkup } from '../lib/escape.ts';
import type { AppRoute } from '../../src/domain/routes.ts';

/** The module of the small script, which `index.html` itself loads. */
const PAINT_MODULE = 'src/first-visit/first-paint.ts';
/** The module that draws the shop. */
const SHOP_MODULE = 'src/main.tsx';

/**
 * The modules of the screens (src/shell/screens.tsx), without two. `SHOP_MODULE` itself imports the catalogue's
 * module. The checkout is in `checkout.html`, which loads the shop at once and without this list.
 */
const SCREEN_MODULES: Readonly<Record<Exclude<AppRoute, '/' | '/checkout'>, string>> = {
  '/product/*': 'src/product/page.tsx',
  '/login': 'src/account/login.tsx',
  '/register': 'src/account/register.tsx',
  '/forgot-password': 'src/account/forgot-password.tsx',
  '/reset-password': 'src/account/reset-password.tsx',
  '/cart': 'src/cart/page.tsx',
  '/checkout/success': 'src/checkout/success.tsx',
  '/orders': 'src/checkout/orders/page.tsx',
  '/admin/import': 'src/import/page.tsx',
  '/admin/orders': 'src/staff/staff.tsx',
  '/admin/products': 'src/staff/staff.tsx',
};
/** The module that opens the database, which most screens need before they are drawn. */
const SERVICES_MODULE = 'src/services.ts';
/** Screens that are drawn before the database is open. */
const WITHOUT_SERVICES = new Set(['/product/*', '/login', '/register', '/forgot-password']);

/** Ends the markup that `notFoundDocument` (documents.ts) takes out of `index.html`. */
const NOT_FOUND_END = '<!-- /not found -->';

/** What src/first-visit/first-markup.tsx exports. */
interface FirstMarkup {
  readonly firstMarkup: () => string;
  readonly notFoundMarkup: () => string;
}

/** Returns the two plugins. @param config the settings of the Vite server that runs src/first-visit/first-markup.tsx */
export function firstMarkupPlugin(root: string, config: InlineConfig): Plugin[] {
  return [
    {
      name: 'first-markup',
      apply: 'build',
      async transformIndexHtml(html) {
        const server = await createServer({
          ...config,
          root,
          configFile: false,
          logLevel: 'error',
          appType: 'custom',
          optimizeDeps: { noDiscovery: true },
          server: { middlewareMode: true, hmr: false, ws: false, watch: null },
        });
        try {
          const module = await server.ssrLoadModule('/src/first-visit/first-markup.tsx');
          const drawn = module as unknown as FirstMarkup; // what that file exports
          // Functions, because `replace` reads a `$` in a text as a sign of its own.
          return html
            .replace('<!-- first markup -->', drawn.firstMarkup)
            .replace('<!-- not found -->', (mark) => mark + drawn.notFoundMarkup() + NOT_FOUND_END);
        } finally {
          await server.close();
        }
      },
    },
    {
      name: 'shop-in-html',
      transformIndexHtml: {
        order: 'post',
        handler(html, { bundle }) {
          // The development server has no bundle.
          if (!bundle) return html.replace('%SHOP%', `/${SHOP_MODULE}`).replace('%SCREENS%', '{}');
          const shop = chunkOf(SHOP_MODULE, bundle, root);
          const paint = chunkOf(PAINT_MODULE, bundle, root);
          // index.html names these itself.
          const named = new Set([`/${shop.fileName}`, `/${paint.fileName}`]);
          const screens = Object.entries(SCREEN_MODULES).map(([path, screen]) => {
            const modules = WITHOUT_SERVICES.has(path) ? [screen] : [SERVICES_MODULE, screen];
            const chunks = modules.map((module) => chunkOf(module, bundle, root));
            const files = new Set(chunks.flatMap((chunk) => filesOf(chunk, bundle)));
            return [path, [...files].filter((file) => !named.has(file))];
          });
          return html
            .replace('%SHOP%', `/${shop.fileName}`)
            .replace('%SCREENS%', escapeMarkup(JSON.stringify(Object.fromEntries(screens))));
        },
      },
    },
  ];
}

/** The chunk into which the bundler put a module. */
function chunkOf(module: string, bundle: Rolldown.OutputBundle, root: string) {
  const chunk = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.moduleIds.includes(join(root, module)),
  );
  if (chunk?.type !== 'chunk') throw new Error(`${module} is not in the bundle`);
  return chunk;
}

/** The paths on the site of a chunk and of all chunks that it imports. */
function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const imported = chunk.imports.flatMap((name) => {
    const file = bundle[name];
    return file?.type === 'chunk' ? filesOf(file, bundle) : [];
  });
  return [`/${chunk.fileName}`, ...imported];
}
