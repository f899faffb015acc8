/**
 * Reads `_headers`, which the build writes for the host (netlify/build/site-rules.ts), as far as the shop
 * uses it: headers for one path or for a folder.
 *
 * Source: @netlify/headers-parser, `for_regexp` (which paths a rule means) and @netlify/cli,
 * `headersForPath` (a later rule replaces a header of an earlier one).
 */

interface ParsedRule {
  readonly pattern: RegExp;
  readonly values: [name: string, value: string][];
}

/**
 * Returns a function that gives all headers of a path.
 *
 * @throws Error naming the line that is not understood
 */
export function parseHeaders(text: string): (path: string) => ReadonlyMap<string, string> {
  const rules: ParsedRule[] = [];
  for (const line of ruleLines(text)) {
    if (/^\/(?:[\w.-]+\/)*(?:[\w.-]+|\*)?$/.test(line)) {
      rules.push({ pattern: patternOf(line), values: [] });
      continue;
    }
    const [, name, value] = /^([\w-]+)\s*:\s*(.+)$/.exec(line) ?? [];
    const rule = rules.at(-1);
    if (!rule || name === undefined || value === undefined) throw notSupported('_headers', line);
    rule.values.push([name, value]);
  }
  return (path) =>
    new Map(rules.filter(({ pattern }) => pattern.test(path)).flatMap(({ values }) => values));
}

/** Matches paths with or without a slash at the end, in any case: `/assets/*` becomes `^/assets/?(.*)/?$`. */
function patternOf(path: string): RegExp {
  const parts = path.split('/').filter((part) => part !== '');
  const escaped = parts.map((part) =>
    part === '*' ? '?(.*)' : part.replaceAll('.', String.raw`\.`),
  );
  return new RegExp(`^/${escaped.join('/')}/?$`, 'iu');
}

/** The lines of a file for the host that are not comments. */
export function ruleLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/** The error for a line of a host's file that this parser does not support. */
export function notSupported(file: string, line: string): Error {
  return new Error(`${file}: this line is not supported here: ${line}`);
}
