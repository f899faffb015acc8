/**
 * Reads the `_headers` and `_redirects` of a built site, as far as the shop uses them: headers for one path
 * or a folder, and rewrites (status 200) from one exact path or a folder, also to another origin. It rejects any
 * other rule, so that no rule works on Netlify only or here only.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ruleLines, notSupported, parseHeaders } from '../lib/header-rules.ts';

export interface SiteRules {
  /** The file, function or whole address that answers for a path that is not a file itself; undefined for none. */
  rewrite(path: string): string | undefined;
  /** All headers that apply to a path. */
  headersFor(path: string): ReadonlyMap<string, string>;
}

/** Returns a function that reads the rules of a site; it parses them again when a new build changes them. */
export function rulesOfFolder(folder: string): () => SiteRules {
  const textOf = (name: string) => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  let cached: { readonly headers: string; readonly redirects: string; readonly rules: SiteRules };
  return () => {
    const files = { headers: textOf('_headers'), redirects: textOf('_redirects') };
    if (cached?.headers !== files.headers || cached.redirects !== files.redirects) {
      cached = { ...files, rules: parseRules(files) };
    }
    return cached.rules;
  };
}

/** @throws Error naming the line that is not understood */
export function parseRules(files: {
  readonly headers: string;
  readonly redirects: string;
}): SiteRules {
  const rewrites = ruleLines(files.redirects).map(parseRewrite);
  return {
    rewrite: (path) => rewrites.find(([from]) => isMatch(from, withoutSlash(path)))?.[1],
    headersFor: parseHeaders(files.headers),
  };
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}

/** Whether a rewrite matches a path: `from` is that path, or a folder that is or holds it. */
function isMatch(from: string, path: string): boolean {
  return from.endsWith('/*') ? `${path}/`.startsWith(from.slice(0, -1)) : from === path;
}

/** Parses such as `/product/* /.netlify/functions/product 200`, or one whose target begins with an origin. */
function parseRewrite(line: string): [from: string, to: string] {
  const [, from, to] =
    /^(\/(?:[\w.-][\w/.-]*)?[\w.-](?:\/\*)?)\s+((?:https?:\/\/[\w.:-]+)?\/[\w/.-]+)\s+200$/.exec(
      line,
    ) ?? [];
  if (from === undefined || to === undefined) throw notSupported('_redirects', line);
  return [from, to];
}
