/**
 * The shop is two documents: `index.html`, and the same as `checkout.html`. Only the second one's
 * headers (netlify.toml) let the payment providers' scripts in, so that no other page can run them,
 * whatever goes wrong there.
 */
import type { Plugin } from 'vite';

/** Parts of `index.html` that only the catalogue needs. */
const CATALOGUE_PARTS = /\s*<!-- catalogue -->.*?<!-- \/catalogue -->/gs;

export function checkoutDocument(): Plugin {
  return {
    name: 'checkout-document',
    apply: 'build',
    generateBundle: {
      // After Vite has put the hashed names in.
      order: 'post',
      handler(_options, bundle) {
        const shop = bundle['index.html'];
        if (shop?.type !== 'asset' || typeof shop.source !== 'string') {
          throw new Error('index.html is not in the bundle');
        }
        // Nothing is stamped here first: the shop is wanted right away.
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
