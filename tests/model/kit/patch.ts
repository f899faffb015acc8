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
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
 * @throws when the declaration is not there, or the text of a hunk is not in it exactly once
 */
export function applyMutant({ name, hunks }: Mutant, project: string): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  const read = (file: string) => changed.get(file) ?? readFileSync(join(project, file), 'utf8');
  for (const { path, declaration, before, after } of hunks) {
    const begins = new RegExp(BEGINS.replace('NAME', declaration), 'm');
    const file = filesOf(project, path).find((each) => begins.test(read(each))) ?? '';
    const text = file === '' ? '' : read(file);
    const start = text.search(begins);
    const [declared = ''] = text.slice(start).split(NEXT, 1);
    const [match, ...others] = declared.matchAll(patternOf(before));
    if (!match || others.length > 0) {
      const count = match ? 'more than once' : 'not';
      throw new Error(
        `"${name}" does not apply. This is ${count} in ${declaration} of ${path}:\n${before}`,
      );
    }
    const at = start + match.index;
    changed.set(file, text.slice(0, at) + after + text.slice(at + match[0].length));
  }
  return changed;
}

/** The files in which the declaration of a hunk may be: one file, or all migrations, the last one first. */
function filesOf(project: string, path: string): readonly string[] {
  if (path.endsWith('.ts')) return [path];
  const names = readdirSync(join(project, path)).sort().reverse();
  return names.map((name) => join(path, name));
}

/** How a function or constant of a module, or a function or trigger of the database, begins. */
const BEGINS =
  '^(?:(?:export )?(?:default )?(?:async )?(?:function|const)|create (?:function|trigger)) (?:public\\.)?NAME\\b';
/** The beginning of what follows a declaration: a comment or statement that is not indented. */
const NEXT =
  /\n(?=--|\/[*/]|create |grant |revoke |alter |export |async |function |const |class |interface |type )/;

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
