/**
 * The `_headers` and `_redirects` of a built site, read by Netlify's own parsers. Of redirects the shop uses rewrites
 * (status 200) from one exact path or a folder. Any other is rejected, so that none works on Netlify only.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Header, parseAllHeaders } from '@netlify/headers-parser';
import { parseAllRedirects } from '@netlify/redirect-parser';
import type { Rewrite } from '../build/site-rules.ts';

export interface SiteRules {
  /** The file or function that answers for a path that is not a file itself; undefined for none. */
  rewrite(path: string): string | undefined;
  /** All headers that apply to a path. */
  headersFor(path: string): ReadonlyMap<string, string>;
}

/** Returns a function that gives the rules of a site; it parses them again when a new build changes them. */
export function rulesOfFolder(folder: string): () => Promise<SiteRules> {
  const files = ['_headers', '_redirects'].map((name) => join(folder, name));
  let cached: { readonly version: string; readonly rules: Promise<SiteRules> } | undefined;
  return () => {
    const version = files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs).join();
    if (cached?.version !== version) cached = { version, rules: parseFolder(folder) };
    return cached.rules;
  };
}

/** Rules for a site without a build: rewrites only. */
export function rulesOf(rewrites: readonly Rewrite[]): SiteRules {
  return {
    rewrite: (path) => rewrites.find(({ from }) => isMatch(from, withoutSlash(path)))?.to,
    headersFor: () => new Map(),
  };
}

/** What Netlify's parser says of a line of `_redirects`. */
interface ParsedRedirect extends Rewrite {
  readonly status?: number;
  readonly force: boolean;
  readonly query: object;
  readonly conditions: object;
}

/** @throws Error naming the rule that is not understood */
async function parseFolder(folder: string): Promise<SiteRules> {
  const { headers, errors: headerErrors } = await parseAllHeaders({
    headersFiles: [join(folder, '_headers')],
    configHeaders: [],
    minimal: false,
  });
  const { redirects, errors: redirectErrors } = await parseAllRedirects({
    redirectsFiles: [join(folder, '_redirects')],
    configRedirects: [],
    minimal: true,
  });
  const [error] = [...headerErrors, ...redirectErrors];
  if (error !== undefined) throw error;
  const headerRules = headers as readonly Header[]; // `minimal: false` adds the expressions
  const rewrites = redirects as readonly ParsedRedirect[];
  for (const { from, status, force, query, conditions } of rewrites) {
    const isPlain = [query, conditions].every((extra) => Object.keys(extra).length === 0);
    const isPathOrFolder = !from.replace(/\/\*$/, '').includes('*') && !from.includes(':');
    if (status === 200 && !force && isPlain && isPathOrFolder && from !== '/*') continue;
    throw new Error(`_redirects: the rule for ${from} is not supported here`);
  }
  return {
    ...rulesOf(rewrites),
    // A later rule replaces a header of an earlier one.
    headersFor: (path) =>
      new Map(
        headerRules
          .filter(({ forRegExp }) => forRegExp.test(path))
          .flatMap(({ values }) => Object.entries(values)),
      ),
  };
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}

/** Whether a rewrite matches a path: `from` is that path, or a folder that is or holds it. */
function isMatch(from: string, path: string): boolean {
  return from.endsWith('/*') ? `${path}/`.startsWith(from.slice(0, -1)) : from === path;
}
