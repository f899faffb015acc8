/**
 * The redirect and header rules of netlify.toml, as far as the shop uses them: a rewrite (status
 * 200) from one exact path, and headers for one exact path or a folder. It rejects anything else,
 * so that a rule that works only on Netlify, or only here, is found when it is written.
 */
import { parse } from 'smol-toml';

export interface Rules {
  /** The file, or the function, that answers for a path which is not a file itself. */
  rewrite(path: string): string | undefined;
  /** All headers that apply to a path, in the order of the file. */
  headersFor(path: string): readonly (readonly [name: string, value: string])[];
}

interface HeaderRule {
  readonly path: string;
  readonly values: readonly (readonly [string, string])[];
}

/** @throws Error naming the rule that is not understood */
export function parseRules(toml: string): Rules {
  const file = parse(toml);
  const rewrites = new Map(listOf(file['redirects']).map(parseRewrite));
  const headers = listOf(file['headers']).map(parseHeaders);
  return {
    rewrite: (path) => rewrites.get(path.length > 1 ? path.replace(/\/$/, '') : path),
    headersFor: (path) =>
      headers.filter((rule) => matches(rule.path, path)).flatMap((rule) => rule.values),
  };
}

function parseRewrite(rule: Record<string, unknown>): [string, string] {
  const { from, to, status, ...rest } = rule;
  if (
    typeof from !== 'string' ||
    typeof to !== 'string' ||
    status !== 200 ||
    !/^\/[\w/.-]*$/.test(from + to) ||
    Object.keys(rest).length > 0
  ) {
    throw new Error(`netlify.toml: this redirect is not supported here: ${JSON.stringify(rule)}`);
  }
  return [from, to];
}

function parseHeaders(rule: Record<string, unknown>): HeaderRule {
  const { for: path, values, ...rest } = rule;
  const pairs = Object.entries(values ?? {});
  if (
    typeof path !== 'string' ||
    !/^\/[\w/.-]*\*?$/.test(path) ||
    !pairs.every((pair): pair is [string, string] => typeof pair[1] === 'string') ||
    Object.keys(rest).length > 0
  ) {
    throw new Error(`netlify.toml: these headers are not supported here: ${JSON.stringify(rule)}`);
  }
  return { path, values: pairs };
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}
