/**
 * The build writes three documents: `index.html`, `checkout.html` (a changed copy of `index.html`) and
 * `404.html`. Only the policy of `checkout.html` (policy.ts) allows the payment providers' scripts, so no other
 * page can run them, not even one with a cross-site scripting hole. `404.html` runs no script at all: the host
 * answers with it for addresses that are not the shop's.
 */
import type { Plugin, Rolldown } from 'vite';
import { escapeMarkup } from '../lib/escape.ts';

/** Parts of `index.html` for every screen but the checkout. */
const CATALOGUE_PARTS = /\s*<!-- catalogue -->.*?<!-- \/catalogue -->/gs;

/** The page for unknown addresses in `index.html`, as `notFoundMarkup` has drawn it. */
const NOT_FOUND_PART = /\s*<!-- not found -->(.*?)<!-- \/not found -->/s;

/** The tags in the head of `index.html` that every document has: viewport, colours, icons, faces and styles. */
const SHARED_HEAD =
  /<meta name="(?:viewport|theme-color|color-scheme)"[^>]*>|<link\s+rel="(?:preload|icon|apple-touch-icon|stylesheet)"[^>]*>/g;

const NOT_FOUND_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'";

/** Takes the page for unknown addresses out of `index.html`, and writes `404.html` into the bundle. */
export function notFoundDocument(storeName: string): Plugin {
  return {
    name: 'not-found-document',
    apply: 'build',
    generateBundle: {
      // Runs after Vite has written the names of the built styles into index.html.
      order: 'post',
      handler(_options, bundle) {
        const document = documentIn(bundle, 'index.html');
        const [part, body] = NOT_FOUND_PART.exec(document.source) ?? [];
        const head = document.source.match(SHARED_HEAD) ?? [];
        if (part === undefined || !head.some((tag) => tag.includes('stylesheet'))) {
          throw new Error('index.html lacks the page for unknown addresses, or its styles');
        }
        document.source = document.source.replace(part, '');
        const source = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${NOT_FOUND_POLICY}" />
    <title>Page not found · ${escapeMarkup(storeName)}</title>
    <meta name="robots" content="noindex" />
    ${head.join('\n    ')}
  </head>
  <body>
    <div id="root">${body}</div>
  </body>
</html>
`;
        this.emitFile({ type: 'asset', fileName: '404.html', source });
      },
    },
  };
}

/** Writes `checkout.html` into the bundle, once the page for unknown addresses is out of `index.html`. */
export function checkoutDocument(): Plugin {
  return {
    name: 'checkout-document',
    apply: 'build',
    generateBundle: {
      // Runs after Vite has written the names of the built scripts into index.html.
      order: 'post',
      handler(_options, bundle) {
        const document = documentIn(bundle, 'index.html');
        const [, script] = /<meta name="shop" content="([^"]+)"/.exec(document.source) ?? [];
        if (script === undefined)
          throw new Error('index.html does not name the script of the shop');
        // In `index.html` the shop's script waits for the first products. The checkout loads it at once.
        const source = document.source
          .replace(CATALOGUE_PARTS, '')
          .replace('<title>New Arrivals', '<title>Checkout')
          .replace('</head>', `<link rel="modulepreload" crossorigin href="${script}"></head>`);
        this.emitFile({ type: 'asset', fileName: 'checkout.html', source });
      },
    },
  };
}

type TextFile = Rolldown.OutputAsset & { source: string };

/** A document of the bundle, whose text a plugin may replace. @throws Error where it is not there */
export function documentIn(bundle: Rolldown.OutputBundle, name: string): TextFile {
  const document = bundle[name];
  if (document?.type !== 'asset' || typeof document.source !== 'string') {
    throw new Error(`${name} is not in the bundle`);
  }
  return document as TextFile; // checked above
}
