/**
 * Reads and applies mutants: small deliberate bugs, written as patches. A hunk names the declaration in
 * which it applies; there, text is compared token by token, so line breaks and spaces do not matter.
 *
 *     # name of the mutant
 *     @@ src/db/shopper-data.ts settle
 *       await db.bases.put(base);
 *     - await db.rejected.bulkPut(rejected);
 *     + await db.rejected.clear();
 *
 * Lines with `-` are removed, lines with `+` are added, other lines stay. The file of a hunk may be a folder
 * of migrations: the last one that creates the function or trigger is changed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDeclarations, type SourceRange } from './source.ts';

/** One place that a mutant changes: in a declaration, `before` becomes `after`. */
interface Hunk {
  readonly path: string;
  readonly declaration: string;
  readonly before: string;
  readonly after: string;
}

/** A deliberate bug. */
export interface Mutant {
  readonly name: string;
  readonly hunks: readonly Hunk[];
}

/** Reads the mutants of a patch file. Text before the first mutant is a comment. */
export function parseMutants(text: string): readonly Mutant[] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...hunks] = part.split(/^@@ /m);
      return { name: head.trim(), hunks: hunks.map(parseHunk) };
    });
}

function parseHunk(text: string): Hunk {
  const [head = '', ...body] = text.trimEnd().split('\n');
  const [path = '', declaration = ''] = head.split(' ');
  const lines = body.map((line) => [line[0], line.slice(2)] as const);
  const linesWithout = (mark: string) =>
    lines.flatMap(([lineMark, line]) => (lineMark === mark ? [] : [line])).join('\n');
  return { path, declaration, before: linesWithout('+'), after: linesWithout('-') };
}

/**
 * Returns the new text of each file that a mutant changes, by the file's path below `project`.
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
    const matches: SourceRange[] = [];
    for (const { file, start, end } of await findDeclarations(project, read, path, declaration)) {
      for (const { 0: match, index } of read(file).slice(start, end).matchAll(patternOf(before))) {
        const matchStart = start + index;
        matches.push({ file, start: matchStart, end: matchStart + match.length });
      }
    }
    const [first] = matches;
    if (!first || matches.length > 1) {
      const count = `${matches.length} times in ${declaration} of ${path}`;
      throw new Error(`"${name}" does not apply. This text is ${count}:\n${before}`);
    }
    const { file, start, end } = first;
    const text = read(file);
    changed.set(file, text.slice(0, start) + after + text.slice(end));
  }
  return changed;
}

/** Matches the same tokens with any white space between them; a word matches whole words only. */
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
