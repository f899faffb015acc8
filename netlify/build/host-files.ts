/**
 * Writes `_headers` and `_redirects` into the site, for the host, and the same policies into the
 * documents, where they hold at every spelling of an address.
 */
import { createHash } from 'node:crypto';
import type { Plugin, Rolldown } from 'vite';
import type { ManifestTransform } from 'workbox-build';
import {
  checkoutPolicy,
  type Policy,
  policyInDocument,
  policyText,
  shopPolicy,
  workerPolicy,
} from './policy.ts';
import type { PolicySettings } from './policy-settings.ts';
import { headerRules, headersText, redirectsText, rewritesTo } from './site-rules.ts';

interface HostFiles {
  readonly plugin: Plugin;
  /** For the list of what the service worker keeps. */
  readonly revise: ManifestTransform;
}

/**
 * Put the plugin behind all that write documents, because it hashes the scripts in them.
 *
 * @param backend the backend's origin; null where it is the site's own
 */
export function hostFiles(settings: PolicySettings, backend: string | null): HostFiles {
  let headers = '';
  const plugin: Plugin = {
    name: 'host-files',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const texts = {
          shop: policyInto(bundle, 'index.html', (hashes) => shopPolicy(settings, hashes)),
          checkout: policyInto(bundle, 'checkout.html', (hashes) =>
            checkoutPolicy(settings, hashes),
          ),
          worker: policyText(workerPolicy(settings)),
        };
        headers = headersText(headerRules(texts));
        const redirects = redirectsText(rewritesTo(backend));
        this.emitFile({ type: 'asset', fileName: '_headers', source: headers });
        this.emitFile({ type: 'asset', fileName: '_redirects', source: redirects });
      },
    },
  };
  return { plugin, revise: (entries) => revisedByHeaders(headers)(entries) };
}

/**
 * Makes a changed header a new version of the shop. The service worker keeps each document with its
 * headers, and by its content alone would go on with the old ones.
 */
export function revisedByHeaders(headers: string): ManifestTransform {
  return (entries) => ({
    manifest: entries.map((entry) =>
      entry.url.endsWith('.html')
        ? { ...entry, revision: hashOf('md5', `${entry.revision}\n${headers}`, 'hex') }
        : entry,
    ),
  });
}

/** Writes the policy into a document. @returns the policy as a header says it */
function policyInto(
  bundle: Rolldown.OutputBundle,
  name: string,
  policyOf: (hashes: string[]) => Policy,
): string {
  const document = bundle[name];
  if (document?.type !== 'asset' || typeof document.source !== 'string') {
    throw new Error(`${name} is not in the bundle`);
  }
  const policy = policyOf(inlineScriptHashes(document.source));
  // Needs no escaping: its hosts are origins, which hold no quotes.
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policyInDocument(policy)}" />`;
  // Behind the charset, which browsers look for first, and before all that it is to hold for.
  const source = document.source.replace('<meta charset="utf-8" />', (charset) => charset + meta);
  if (source === document.source) throw new Error(`${name} has no place for its policy`);
  document.source = source;
  return policyText(policy);
}

/** Hashes of the scripts that stand in a document, as a policy names them. */
export function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${hashOf('sha256', script, 'base64')}'`,
  );
}

function hashOf(algorithm: 'md5' | 'sha256', text: string, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(text).digest(encoding);
}
