/**
 * The shop is two documents: `index.html`, and `checkout.html`, a copy of it. Only the policy of
 * the second (policy.ts) allows the payment providers' scripts, so no other page can run them, not even
 * one with a cross-site scripting hole.
 */
import type { Plugin } from 'vite';

/** Parts of `index.html` that only the catalogue needs. */
const CATALOGUE_PARTS = /\s*<!-- catalogue -->.*?<!-- \/catalogue -->/gs;

/** Writes `checkout.html` into the bundle. */
export function checkoutDocument(): Plugin {
  return {
    name: 'checkout-document',
    apply: 'build',
    generateBundle: {
      // Runs after Vite has written the names of the built scripts into index.html.
      order: 'post',
      handler(_options, bundle) {
        const document = bundle['index.html'];
        if (document?.type !== 'asset' || typeof document.source !== 'string') {
          throw new Error('index.html is not in the bundle');
        }
        // On the catalogue the shop's script waits for the first products; here it may load at once.
        const [, script = ''] = /<meta name="shop" content="([^"]+)"/.exec(document.source) ?? [];
        const source = document.source
          .replace(CATALOGUE_PARTS, '')
          .replace('>New Arrivals ·', '>Checkout ·')
          .replace('</head>', `<link rel="modulepreload" crossorigin href="${script}"></head>`);
        this.emitFile({ type: 'asset', fileName: 'checkout.html', source });
      },
    },
  };
}
