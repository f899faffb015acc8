/**
 * Finds a declaration in the project's source by its name. Searches the syntax tree, so that a declaration
 * may be reformatted, or moved within its file.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Node as SqlNode, parse } from 'libpg-query';
import { parseSync } from 'vite';

/** Part of a file: from character `start` up to `end`. */
export interface SourceRange {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns where this name is declared; nothing when the file does not exist.
 *
 * - in a TypeScript file: functions, variables and the default export, and members of classes
 * - in a folder of migrations: functions and triggers, in the last migration that creates one
 *
 * @param read returns the text of a file below `project`
 * @param path a file of TypeScript or a folder of migrations, below `project`
 */
export async function findDeclarations(
  project: string,
  read: (file: string) => string,
  path: string,
  name: string,
): Promise<readonly SourceRange[]> {
  if (!existsSync(join(project, path))) return [];
  if (path.endsWith('.ts')) return inTypeScript(read(path), path, name);
  return inMigrations(project, read, path, name);
}

type Statement = ReturnType<typeof parseSync>['program']['body'][number];

function inTypeScript(text: string, file: string, name: string): readonly SourceRange[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const declarations = program.body.flatMap(declarationsOf);
  const matches = declarations.filter((declaration) => declaration.name === name);
  return matches.map(({ start, end }) => ({ file, start, end }));
}

interface Declared {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function declarationsOf(node: Statement): readonly Declared[] {
  const { start, end } = node;
  switch (node.type) {
    case 'ExportNamedDeclaration':
      return node.declaration ? declarationsOf(node.declaration) : [];
    case 'ExportDefaultDeclaration':
      return [{ name: 'default', start, end }];
    case 'FunctionDeclaration':
      return [{ name: node.id?.name ?? '', start, end }];
    case 'VariableDeclaration':
      return node.declarations.map(({ id }) => {
        return { name: id.type === 'Identifier' ? id.name : '', start, end };
      });
    case 'ClassDeclaration':
      return node.body.body.flatMap((member) => {
        if (!('key' in member)) return [];
        const { start, end, key } = member;
        if (key.type === 'PrivateIdentifier') return [{ name: `#${key.name}`, start, end }];
        return key.type === 'Identifier' ? [{ name: key.name, start, end }] : [];
      });
    default:
      return [];
  }
}

async function inMigrations(
  project: string,
  read: (file: string) => string,
  folder: string,
  name: string,
): Promise<readonly SourceRange[]> {
  for (const migration of readdirSync(join(project, folder)).sort().reverse()) {
    const file = join(folder, migration);
    const text = read(file);
    if (!text.includes(name)) continue;
    const { stmts = [] } = await parse(text);
    const matches = stmts.filter(({ stmt }) => createdName(stmt) === name);
    if (matches.length === 0) continue;
    // libpg-query counts bytes of UTF-8.
    const bytes = Buffer.from(text);
    const charsBefore = (byte: number) => bytes.toString('utf8', 0, byte).length;
    return matches.map(({ stmt_location: start = 0, stmt_len: length = bytes.length - start }) => {
      return { file, start: charsBefore(start), end: charsBefore(start + length) };
    });
  }
  return [];
}

/** The name of the function or trigger that a statement creates; undefined for other statements. */
function createdName(statement: SqlNode | undefined): string | undefined {
  if (!statement) return undefined;
  if ('CreateTrigStmt' in statement) return statement.CreateTrigStmt.trigname;
  if (!('CreateFunctionStmt' in statement)) return undefined;
  const last = statement.CreateFunctionStmt.funcname?.at(-1); // behind the schema
  return last && 'String' in last ? last.String.sval : undefined;
}
