/** Opens the backend's database, PGlite or a PostgreSQL server, behind one interface. */
import { existsSync } from 'node:fs';
import type { Connection } from '@supabase/lite';
import type { DataFolder } from './data-folder.ts';
import { adoptNewDatabase } from './data-folder.ts';
import { DatabaseUnreachable, DataFolderDamaged, DataFolderUnwritable } from './failures.ts';
import { loadLibrary } from './library.ts';
import { asPostgrestError } from './sqlstate.ts';
import { Turns } from './turns.ts';

export type Row = Record<string, unknown>;

export interface Database {
  /** The library's App uses this. */
  readonly connection: Connection;
  /** Runs a task alone on the session, if the database has only one. */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  /** Runs one statement as the owner of everything, row-level security aside. */
  readonly query: (sql: string, params?: readonly unknown[]) => Promise<Row[]>;
  /** Receives NOTIFY on a channel until the returned function is called. */
  readonly listen: (
    channel: string,
    onPayload: (payload: string) => void,
  ) => Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/**
 * Type id of numeric. The library answers numbers like 12.50 as text; the pages need numbers, as hosted
 * PostgREST answers them.
 */
const NUMERIC_OID = 1700;
/** Types from here on belong to PostgreSQL's own catalogue; no statement of the shop reads them. */
const FIRST_CATALOGUE_OID = 10_000;
const JSON_OID = 114;
const JSONB_OID = 3802;

export interface PgliteOptions {
  /** Where the files are stored; undefined for a database in memory. */
  readonly folder: DataFolder | undefined;
  /** A new database to copy, which is 3 s faster than making one. */
  readonly image: Blob | undefined;
  readonly log: (line: string) => void;
}

/**
 * Postgres inside this process.
 *
 * @throws DataFolderDamaged when Postgres cannot start from the files; DataFolderUnwritable when it
 *   cannot create them
 */
export async function openPglite({ folder, image, log }: PgliteOptions): Promise<Database> {
  if (folder === undefined) return pgliteDatabase(await connectPglite(undefined, image));
  if (existsSync(folder.database)) log('Opening the database …');
  else {
    log('It is the first start: making the database, which takes a few seconds …');
    try {
      await (await connectPglite(folder.newDatabase, image)).close();
      adoptNewDatabase(folder);
    } catch (thrown) {
      throw new DataFolderUnwritable(folder.path, thrown);
    }
  }
  try {
    return pgliteDatabase(await connectPglite(folder.database));
  } catch (thrown) {
    console.error(thrown);
    throw new DataFolderDamaged(folder.path, 'Postgres cannot start from it', thrown);
  }
}

async function connectPglite(url?: string, image?: Blob) {
  const { createPgliteConnection } = await loadLibrary(() => import('@supabase/lite/pglite'));
  const connection = await createPgliteConnection({
    ...(url === undefined ? {} : { url }),
    pgliteOptions: {
      parsers: { [NUMERIC_OID]: Number },
      ...(image === undefined ? {} : { loadDataDir: image }),
    },
  });
  await connection.driver.waitReady;
  // PGlite copies all of its parsers for each statement, half of its time for a small one.
  const { parsers } = connection.driver;
  for (const oid of Object.keys(parsers)) {
    if (Number(oid) >= FIRST_CATALOGUE_OID) delete parsers[oid];
  }
  return connection;
}

function pgliteDatabase(connection: Awaited<ReturnType<typeof connectPglite>>): Database {
  const turns = new Turns();
  const { driver } = connection;
  // The library's own version drops the database's error.
  connection.exec = async <T>(sql: string) => {
    const results = await driver.exec(sql);
    return { rows: results.at(-1)?.rows ?? [] } as T;
  };
  connection.normalizeDbError = asPostgrestError;
  return {
    connection,
    exclusively: (task) => turns.take(task),
    query: (sql, params = []) =>
      turns.take(async () => (await driver.query<Row>(sql, [...params])).rows),
    listen: (channel, onPayload) => turns.take(() => driver.listen(channel, onPayload)),
    close: () => turns.take(() => connection.close()),
  };
}

/**
 * A PostgreSQL server.
 *
 * @param sessions how many the pool may open. Migrations need 1: the library begins a transaction in
 *   one call and continues it in the next, which on a larger pool may be another session.
 * @throws DatabaseUnreachable
 */
export async function openServer(
  url: string,
  { sessions }: { readonly sessions?: number } = {},
): Promise<Database> {
  const { createPostgresConnection } = await loadLibrary(() => import('@supabase/lite/postgres'));
  // The library has already written JSON as text; the driver would write that text as JSON again.
  const jsonText = (oid: number) => ({
    to: oid,
    from: [oid],
    serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
    parse: (text: string): unknown => JSON.parse(text),
  });
  const numeric = { to: NUMERIC_OID, from: [NUMERIC_OID], serialize: String, parse: Number };
  const connection = createPostgresConnection({
    url,
    postgresOptions: {
      onnotice: () => undefined,
      types: { numeric, json: jsonText(JSON_OID), jsonb: jsonText(JSONB_OID) },
      ...(sessions === undefined ? {} : { max: sessions }),
    },
  });
  const { driver } = connection;
  const query = async (sql: string, params: readonly unknown[] = []): Promise<Row[]> => [
    ...(await driver.unsafe(sql, [...params])),
  ];
  connection.exec = async <T>(sql: string) => ({ rows: await query(sql) }) as T;
  connection.normalizeDbError = asPostgrestError;
  try {
    await query('select 1');
  } catch (thrown) {
    await connection.close();
    throw new DatabaseUnreachable(thrown);
  }
  return {
    connection,
    exclusively: (task) => task(),
    query,
    listen: async (channel, onPayload) => {
      const listening = await driver.listen(channel, onPayload);
      return () => listening.unlisten();
    },
    close: () => connection.close(),
  };
}
