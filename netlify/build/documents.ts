/**
 * The shop is two documents: `index.html`, and `checkout.html`, a copy of it. Only the policy of
 * the second (policy.ts) allows the payment providers' scripts, so no other page can run them, not even
 * one with a cross-site scripting hole.
 */
import type { Plugin } from 'vite';

/** Parts of `index.html` that only the catalogue needs. */
const CATALOGUE_PARTS = /\s*<!-- catalogue -->.*?<!-- \/catalogue -->/gs;

export function checkoutDocument(): Plugin {
  return {
    name: 'checkout-document',
    apply: 'build',
    generateBundle: {
      // Runs after Vite has put the hashed names in.
      order: 'post',
      handler(_options, bundle) {
        const shop = bundle['index.html'];
        if (shop?.type !== 'asset' || typeof shop.source !== 'string') {
          throw new Error('index.html is not in the bundle');
        }
        // The checkout has no first products to stamp, so the browser loads the shop's script at once.
        const [, script = ''] = /<meta name="shop" content="([^"]+)"/.exec(shop.source) ?? [];
        const source = shop.source
          .replace(CATALOGUE_PARTS, '')
          .replace('>New Arrivals ·', '>Checkout ·')
          .replace('</head>', `<link rel="modulepreload" crossorigin href="${script}"></head>`);
        this.emitFile({ type: 'asset', fileName: 'checkout.html', source });
      },
    },
  };
}
