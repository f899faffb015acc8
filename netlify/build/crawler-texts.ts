/** `robots.txt` and `llms.txt`, for programs that read the web. The function `sitemap` makes the sitemap. */
import type { Plugin } from 'vite';

export interface ShopAddresses {
  readonly storeName: string;
  /** Without a slash at its end; empty in a build that has no address, such as that of `npm start`. */
  readonly siteUrl: string;
  /** The Supabase project's address; empty where the shop's own origin serves the backend. */
  readonly backendUrl: string;
  readonly publishableKey: string;
}

export function crawlerTexts(addresses: ShopAddresses): Plugin {
  return {
    name: 'crawler-texts',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'robots.txt', source: robotsText(addresses) });
      this.emitFile({ type: 'asset', fileName: 'llms.txt', source: llmsText(addresses) });
    },
  };
}

/**
 * Allows every page, because no page holds a shopper's data until a script of that shopper's device adds
 * them. The rule that allows resized pictures comes before the one that shuts out the functions: some
 * crawlers take the first rule that fits, others the longest (RFC 9309, section 2.2.2).
 * A sitemap must be named with its host (sitemaps.org, "Submitting").
 */
export function robotsText({ siteUrl }: Pick<ShopAddresses, 'siteUrl'>): string {
  const rules = 'User-agent: *\nAllow: /.netlify/images\nDisallow: /.netlify/\n';
  return siteUrl === '' ? rules : `${rules}\nSitemap: ${siteUrl}/sitemap.xml\n`;
}

/** Tells language models what the site has and how to read it. Form: https://llmstxt.org. */
export function llmsText({ storeName, siteUrl, backendUrl, publishableKey }: ShopAddresses) {
  return `# ${storeName}

> A clothing shop on the web. All prices are in US dollars. The catalogue is public; favourites, a
> cart and orders need an account.

The pages draw themselves with JavaScript. The catalogue can also be read as JSON, 1,000 products at
a time at most, with the public key that the pages use:

    GET ${backendUrl}/rest/v1/products?order=SKC,id&limit=100
    apikey: ${publishableKey}

A product has id, SKC (stock code), Size, Images link, Category 1 to 4, Retail Price, Material and
Fabric Composition. A product of several sizes has a row for each. Nothing says what is in stock.

## Pages

- [Catalogue](${siteUrl}/): all products; \`?category=\` shows one category, \`?q=\` searches
- Product: \`${siteUrl}/product/\` and the stock code, percent-encoded, with all its sizes
- [Sitemap](${siteUrl}/sitemap.xml): the address of every category and product
- [Cart](${siteUrl}/cart): what the signed-in shopper has chosen
- [Log in](${siteUrl}/login) and [register](${siteUrl}/register)
- [Orders](${siteUrl}/orders): what the signed-in shopper has ordered
`;
}
