/**
 * Hosted Supabase rejects UPDATE and DELETE without WHERE, also inside functions, when they come
 * through the REST interface (extension `safeupdate`). The embedded database does not, so the
 * functions are read here as they are after the last migration.
 */
import { parse, parsePlPgSQL } from 'libpg-query';
import { expect, test } from 'vitest';
import { openBackendForFile } from './shop-for-file.ts';

const backend = await openBackendForFile();

/** A function of the database; `body` is its source, `definition` the statement that creates it. */
interface FunctionText {
  readonly name: string;
  readonly language: string;
  readonly body: string;
  readonly definition: string;
}

/** The statements of one function, as SQL. */
async function statementsOf({ language, body, definition }: FunctionText): Promise<string[]> {
  if (language === 'sql') return [body];
  const statements: string[] = [];
  for (const [key, value] of nodesOf(await parsePlPgSQL(definition))) {
    expect(key, 'a statement that is composed at run time cannot be checked').not.toBe(
      'PLpgSQL_stmt_dynexecute',
    );
    // `parseMode` is 0 for statements; expressions have another mode and change no rows.
    if (key !== 'PLpgSQL_expr' || !isObject(value) || value['parseMode'] !== 0) continue;
    statements.push(String(value['query']));
  }
  return statements;
}

/** Returns the statement once for each UPDATE or DELETE without WHERE in it. */
async function unsafeParts(statement: string): Promise<string[]> {
  return nodesOf(await parse(statement)).flatMap(([key, value]) =>
    /^(Update|Delete)Stmt$/.test(key) && isObject(value) && value['whereClause'] === undefined
      ? [statement]
      : [],
  );
}

/** All keys and values of a syntax tree, at every depth. */
function nodesOf(tree: unknown): [key: string, value: unknown][] {
  if (!isObject(tree)) return [];
  return Object.entries(tree).flatMap(([key, value]) => [[key, value], ...nodesOf(value)]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

test('no function updates or deletes without WHERE, which hosted Supabase rejects', async () => {
  const functions = await backend.query(`
    select p.proname as name, l.lanname as language, p.prosrc as body,
      pg_get_functiondef(p.oid) as definition
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace`);
  const unsafeStatements: string[] = [];
  let statementCount = 0;
  for (const functionText of functions as unknown as FunctionText[]) {
    for (const statement of await statementsOf(functionText)) {
      if (/^\s*(update|delete)\b/i.test(statement)) statementCount += 1;
      for (const unsafe of await unsafeParts(statement))
        unsafeStatements.push(`${functionText.name}: ${unsafe}`);
    }
  }
  expect(unsafeStatements).toEqual([]);
  expect(statementCount, 'the check itself finds statements').toBeGreaterThan(20);
});
