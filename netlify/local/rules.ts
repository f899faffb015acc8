/**
 * Reads the `_headers` and `_redirects` of a built site, as far as the shop uses them: headers for one path
 * or a folder, rewrites (status 200) from one exact path, also to another origin, and redirects (status 303)
 * from one exact path to another page. It rejects any other rule, so that no rule works on Netlify only or
 * here only.
 *
 * Source: @netlify/headers-parser, `for_regexp` (which paths a rule means) and @netlify/cli,
 * `headersForPath` (a later rule replaces a header of an earlier one).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Rules {
  /** The file, function or whole address that answers for a path which is not a file itself. */
  rewrite(path: string): string | undefined;
  /** The address to which the browser is led instead, by status 303. */
  redirect(path: string): string | undefined;
  /** All headers that apply to a path. */
  headersFor(path: string): ReadonlyMap<string, string>;
}

interface HeaderRule {
  readonly pattern: RegExp;
  readonly values: [name: string, value: string][];
}

/** Returns a function that reads the rules of a site; it parses them again when a new build changes them. */
export function rulesOfFolder(folder: string): () => Rules {
  const textOf = (name: string) => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  let cached: { readonly headers: string; readonly redirects: string; readonly rules: Rules };
  return () => {
    const files = { headers: textOf('_headers'), redirects: textOf('_redirects') };
    if (cached?.headers !== files.headers || cached.redirects !== files.redirects) {
      cached = { ...files, rules: parseRules(files) };
    }
    return cached.rules;
  };
}

/** @throws Error naming the line that is not understood */
export function parseRules(files: { readonly headers: string; readonly redirects: string }): Rules {
  const lines = linesOf(files.redirects);
  const redirects = new Map(lines.filter(isRedirect).map(parseRedirect));
  const rewrites = new Map(lines.filter((line) => !isRedirect(line)).map(parseRewrite));
  const headers = parseHeaders(files.headers);
  return {
    rewrite: (path) => rewrites.get(withoutSlash(path)),
    redirect: (path) => redirects.get(withoutSlash(path)),
    headersFor: (path) =>
      new Map(headers.filter(({ pattern }) => pattern.test(path)).flatMap(({ values }) => values)),
  };
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}

function isRedirect(line: string): boolean {
  return line.endsWith(' 303');
}

function parseRedirect(line: string): [from: string, to: string] {
  const [, from, to] = /^(\/[\w/.-]+)\s+(\/[\w/.-]+(?:\?[\w=&-]+)?)\s+303$/.exec(line) ?? [];
  if (from === undefined || to === undefined) throw notSupported('_redirects', line);
  return [from, to];
}

function parseRewrite(line: string): [from: string, to: string] {
  const [, from, to] =
    /^(\/[\w/.-]+)\s+((?:https?:\/\/[\w.:-]+)?\/[\w/.-]+)\s+200$/.exec(line) ?? [];
  if (from === undefined || to === undefined) throw notSupported('_redirects', line);
  return [from, to];
}

function parseHeaders(text: string): HeaderRule[] {
  const rules: HeaderRule[] = [];
  for (const line of linesOf(text)) {
    if (/^\/[\w/.-]*\*?$/.test(line)) {
      rules.push({ pattern: patternOf(line), values: [] });
      continue;
    }
    const [, name, value] = /^([\w-]+)\s*:\s*(.+)$/.exec(line) ?? [];
    const rule = rules.at(-1);
    if (!rule || name === undefined || value === undefined) throw notSupported('_headers', line);
    rule.values.push([name, value]);
  }
  return rules;
}

/** Matches paths with or without a slash at the end, in any case; a `*` is the rest of the path. */
function patternOf(path: string): RegExp {
  const parts = path.split('/').filter((part) => part !== '');
  const escaped = parts.map((part) =>
    part === '*' ? '?(.*)' : part.replaceAll('.', String.raw`\.`),
  );
  return new RegExp(`^/${escaped.join('/')}/?$`, 'iu');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function notSupported(file: string, line: string): Error {
  return new Error(`${file}: this line is not supported here: ${line}`);
}
