/**
 * Writes `_headers` and `_redirects` into the site, for the host. Writes the Content Security Policies into the
 * documents, too: there they hold even where the host matches no header rule to an address.
 */
import { createHash } from 'node:crypto';
import type { Plugin, Rolldown } from 'vite';
import type { ManifestTransform } from 'workbox-build';
import { documentIn } from './documents.ts';
import {
  checkoutPolicy,
  type Policy,
  policyInDocument,
  policyText,
  shopPolicy,
  WORKER_POLICY,
} from './policy.ts';
import type { PolicySettings } from './policy-settings.ts';
import { headerRules, headersText, redirectsText, REWRITES } from './site-rules.ts';

interface HostFiles {
  readonly plugin: Plugin;
  /** Gives documents a new revision when a header changes, in Workbox's list of what the worker keeps. */
  readonly revise: ManifestTransform;
}

/** The plugin must come after all plugins that write documents, because it hashes the scripts in them. */
export function hostFiles(settings: PolicySettings): HostFiles {
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
          worker: policyText(WORKER_POLICY),
        };
        headers = headersText(headerRules(texts));
        const redirects = redirectsText(REWRITES);
        this.emitFile({ type: 'asset', fileName: '_headers', source: headers });
        this.emitFile({ type: 'asset', fileName: '_redirects', source: redirects });
      },
    },
  };
  // The headers are known when the bundle is generated, and Workbox calls this later.
  return { plugin, revise: (entries) => revisedByHeaders(headers)(entries) };
}

/**
 * Gives documents a new revision when a header changes. The service worker keeps each document with its
 * headers, and fetches it again only when its revision changes.
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

/** Writes the policy into a document. @returns the value of the policy's header */
function policyInto(
  bundle: Rolldown.OutputBundle,
  name: string,
  policyOf: (hashes: string[]) => Policy,
): string {
  const document = documentIn(bundle, name);
  const policy = policyOf(inlineScriptHashes(document.source));
  // The policy needs no escaping: its hosts are origins, which hold no quotation marks.
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policyInDocument(policy)}" />`;
  // After the charset, which browsers look for first, and before everything that the policy restricts.
  const source = document.source.replace('<meta charset="utf-8" />', (charset) => charset + meta);
  if (source === document.source) throw new Error(`${name} has no place for its policy`);
  document.source = source;
  return policyText(policy);
}

/** Hashes of a document's inline scripts, in the form of a policy's sources. */
export function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${hashOf('sha256', script, 'base64')}'`,
  );
}

function hashOf(algorithm: 'md5' | 'sha256', text: string, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(text).digest(encoding);
}
