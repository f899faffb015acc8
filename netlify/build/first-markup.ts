/**
 * Writes two things into `index.html`: the markup of the first screen, and the addresses of the
 * scripts that draw the rest. The small script of the first screen (src/first-visit/first-paint.ts)
 * loads those later.
 */
import { join } from 'node:path';
import { createServer, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { escapeMarkup } from '../lib/escape.ts';
import type { AppRoute } from '../../src/domain/routes.ts';

/** The module that draws the shop. */
const SHOP = 'src/main.tsx';

/** The module of each screen but the catalogue and the checkout, as src/shell/screens.tsx imports it. */
const SCREENS: Readonly<Record<Exclude<AppRoute, '/' | '/checkout'>, string>> = {
  '/login': 'src/account/login.tsx',
  '/register': 'src/account/register.tsx',
  '/forgot-password': 'src/account/forgot-password.tsx',
  '/reset-password': 'src/account/reset-password.tsx',
  '/cart': 'src/cart/page.tsx',
  '/checkout/success': 'src/checkout/screen.tsx',
  '/orders': 'src/checkout/screen.tsx',
  '/admin/import': 'src/import/page.tsx',
};
/** What most screens wait for before they are drawn: the open database. */
const SERVICES = 'src/services.ts';
/** Forms that are drawn before the database is open. */
const WITHOUT_SERVICES = new Set(['/login', '/register', '/forgot-password']);

/** What src/first-visit/first-markup.tsx exports. */
interface FirstMarkup {
  readonly firstMarkup: () => string;
}

export function firstMarkup(root: string, config: InlineConfig): Plugin[] {
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
          const { firstMarkup: draw } = module as unknown as FirstMarkup; // what that file exports
          return html.replace('<!-- first markup -->', draw);
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
          if (!bundle) return html.replace('%SHOP%', `/${SHOP}`).replace('%SCREENS%', '{}');
          const built = builtFrom(bundle, root);
          const shop = built(SHOP);
          const before = new Set(filesOf(shop, bundle));
          const screens = Object.entries(SCREENS).map(([path, source]) => {
            const sources = WITHOUT_SERVICES.has(path) ? [source] : [SERVICES, source];
            const files = new Set(sources.flatMap((each) => filesOf(built(each), bundle)));
            return [path, [...files].filter((file) => !before.has(file))];
          });
          return html
            .replace('%SHOP%', `/${shop.fileName}`)
            .replace('%SCREENS%', escapeMarkup(JSON.stringify(Object.fromEntries(screens))));
        },
      },
    },
  ];
}

/** Returns a function that finds the chunk into which the bundler put a module. */
function builtFrom(bundle: Rolldown.OutputBundle, root: string) {
  return (source: string): Rolldown.OutputChunk => {
    const chunk = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.moduleIds.includes(join(root, source)),
    );
    if (chunk?.type !== 'chunk') throw new Error(`${source} is not in the bundle`);
    return chunk;
  };
}

/** The addresses on the site of a chunk and of all that it imports. */
function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const imported = chunk.imports.flatMap((name) => {
    const file = bundle[name];
    return file?.type === 'chunk' ? filesOf(file, bundle) : [];
  });
  return [`/${chunk.fileName}`, ...imported];
}
