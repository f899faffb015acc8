/**
 * Mutants as patches: small deliberate bugs in the project's own text. A hunk says in which
 * declaration it applies; within it, text is compared token by token, whatever lines and spaces
 * stand between.
 *
 *     # name of the mutant
 *     key: value
 *     @@ src/db/shopper-log.ts settle
 *       await db.bases.put(base);
 *     - await db.refused.bulkPut(refused);
 *     + await db.refused.clear();
 *
 * Lines with `-` leave, lines with `+` come, others stay. The file of a hunk may be a folder of
 * migrations: the last one that creates the function or trigger is changed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDeclarations } from './source.ts';

interface Hunk {
  readonly path: string;
  readonly declaration: string;
  readonly before: string;
  readonly after: string;
}

export interface Mutant {
  readonly name: string;
  readonly notes: Readonly<Record<string, string>>;
  readonly hunks: readonly Hunk[];
}

export function parseMutants(text: string): readonly Mutant[] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...hunks] = part.split(/^@@ /m);
      const [name = '', ...notes] = head.trim().split('\n');
      const pairs = notes.map((note) => /^(\w+): (.*)$/.exec(note)?.slice(1) ?? []);
      return { name, notes: Object.fromEntries(pairs), hunks: hunks.map(parseHunk) };
    });
}

function parseHunk(text: string): Hunk {
  const [head = '', ...rest] = text.trimEnd().split('\n');
  const [path = '', declaration = ''] = head.split(' ');
  const lines = rest.map((line) => [line[0], line.slice(2)] as const);
  const without = (mark: string) =>
    lines.flatMap(([each, line]) => (each === mark ? [] : [line])).join('\n');
  return { path, declaration, before: without('+'), after: without('-') };
}

/**
 * Returns the files that a mutant changes, with their new text.
 *
 * @throws when a declaration is not there, or the text of a hunk is not in it exactly once
 */
export async function applyMutant(
  { name, hunks }: Mutant,
  project: string,
): Promise<ReadonlyMap<string, string>> {
  const changed = new Map<string, string>();
  const read = (file: string) => changed.get(file) ?? readFileSync(join(project, file), 'utf8');
  for (const { path, declaration, before, after } of hunks) {
    const found: { readonly file: string; readonly at: number; readonly length: number }[] = [];
    for (const { file, start, end } of await findDeclarations(project, read, path, declaration)) {
      for (const { 0: match, index } of read(file).slice(start, end).matchAll(patternOf(before))) {
        found.push({ file, at: start + index, length: match.length });
      }
    }
    const [first] = found;
    if (!first || found.length > 1) {
      const count = `${found.length} times in ${declaration} of ${path}`;
      throw new Error(`"${name}" does not apply: ${count} is ${before}`);
    }
    const { file, at, length } = first;
    const text = read(file);
    changed.set(file, text.slice(0, at) + after + text.slice(at + length));
  }
  return changed;
}

/** Finds the same tokens, of which words are whole words. */
function patternOf(text: string): RegExp {
  const tokens = text.match(/[\w$]+|\S/g) ?? [];
  const patterns = tokens.map((token) => {
    if (/\w/.test(token)) return `(?<![\\w$])${escaped(token)}(?![\\w$])`;
    // A formatter may put a comma before a closing bracket.
    return /[)\]}]/.test(token) ? `,?\\s*${escaped(token)}` : escaped(token);
  });
  return new RegExp(patterns.join('\\s*'), 'g');
}

function escaped(token: string): string {
  return token.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
