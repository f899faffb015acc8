/** Reads the files of the migrations: their names, and the functions that they leave in the database. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DatabaseFunction {
  readonly name: string;
  /** The types by parameter name. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Roles that were granted to execute it. */
  readonly callers: ReadonlySet<string>;
}

/** What applies the migrations to a hosted project. */
export const PUSH_COMMAND = '`npx supabase db push --remote`';

const FOLDER = join(import.meta.dirname, '../../supabase/migrations');

/** The statements that make or drop a function, or grant or revoke the right to call it. */
const STATEMENT = new RegExp(
  [
    String.raw`create\s+(?:or\s+replace\s+)?function\s+public\.(?<made>\w+)\s*\((?<parameters>[^$;]*?)\)\s+returns`,
    String.raw`drop\s+function\s+(?:if\s+exists\s+)?public\.(?<dropped>\w+)`,
    String.raw`grant\s+execute\s+on\s+function\s+(?<granted>[^;]*?)\s+to\s+(?<grantedTo>[^;]*);`,
    String.raw`revoke\s+(?:all|execute)\s+on\s+function\s+(?<revoked>[^;]*?)\s+from\s+(?<revokedFrom>[^;]*);`,
  ].join('|'),
  'g',
);

/** Names of the migrations, in the order in which they are applied. */
export function migrationFiles(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/** The functions that a role of the API may call by name. */
export function callableFunctions(): readonly DatabaseFunction[] {
  const functions = new Map<string, { parameters: Map<string, string>; callers: Set<string> }>();
  for (const file of migrationFiles()) {
    const sql = readFileSync(join(FOLDER, file), 'utf8').replaceAll(/--.*$/gm, '');
    for (const { groups = {} } of sql.matchAll(STATEMENT)) {
      const { made, parameters = '', dropped, granted, grantedTo, revoked, revokedFrom } = groups;
      if (dropped !== undefined) functions.delete(dropped);
      if (made !== undefined) {
        // `create or replace` keeps the rights that were granted before.
        const callers = functions.get(made)?.callers ?? new Set();
        functions.set(made, { parameters: parametersOf(parameters), callers });
      }
      for (const name of namesIn(granted)) {
        for (const role of rolesIn(grantedTo)) functions.get(name)?.callers.add(role);
      }
      for (const name of namesIn(revoked)) {
        for (const role of rolesIn(revokedFrom)) functions.get(name)?.callers.delete(role);
      }
    }
  }
  return [...functions]
    .map(([name, { parameters, callers }]) => ({ name, parameters, callers }))
    .filter(({ parameters, callers }) => callers.size > 0 && !takesRow(parameters));
}

function namesIn(functions = ''): string[] {
  return [...functions.matchAll(/public\.(\w+)\s*\(/g)].map(([, name = '']) => name);
}

function rolesIn(roles = ''): string[] {
  return roles.split(',').map((role) => role.trim());
}

/** Whether a parameter is a row of a table: PostgREST cannot call such a function by name. */
function takesRow(parameters: ReadonlyMap<string, string>): boolean {
  return [...parameters.values()].some((type) => type.startsWith('public.'));
}

/** Reads `p_user uuid, p_since bigint default null`. A parameter without a name is listed by its type. */
function parametersOf(text: string): Map<string, string> {
  const commaOutsideParentheses = /,(?![^(]*\))/;
  const pairs = text.split(commaOutsideParentheses).flatMap((parameter) => {
    const [, name, type] =
      /^\s*(p_\w+\s)?\s*([\w.[\]]+)(?:\s+default\s.*)?\s*$/s.exec(parameter) ?? [];
    return type === undefined ? [] : [[name?.trim() ?? type, type] as const];
  });
  return new Map(pairs);
}
