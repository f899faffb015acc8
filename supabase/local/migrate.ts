/** Applies the migrations in `supabase/migrations` with the library's migrator. */
import type { App } from '@supabase/lite';
import type { Database } from './connection.ts';
import { MigrationFailed } from './failures.ts';
import { loadLibrary } from './library.ts';
import { REALTIME_SCHEMA } from './realtime.ts';

/**
 * The privileges that hosted Supabase grants before the first migration, so that a migration that
 * forgets to revoke them fails tests here. Source: `supabase/postgres`, init scripts (schema `public`).
 */
const HOSTED_PRIVILEGES = [
  'grant usage on schema public, auth to anon, authenticated, service_role',
  `alter default privileges in schema public
    grant all on tables to anon, authenticated, service_role`,
  `alter default privileges in schema public
    grant all on sequences to anon, authenticated, service_role`,
  `alter default privileges in schema public
    grant execute on functions to anon, authenticated, service_role`,
];

const ROLES = `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'anon') then
      create role anon nologin;
    end if;
    if not exists (select from pg_roles where rolname = 'authenticated') then
      create role authenticated nologin;
    end if;
    if not exists (select from pg_roles where rolname = 'service_role') then
      create role service_role nologin bypassrls;
    end if;
  end $$`;

/**
 * Applies pending migrations, each in its own transaction.
 *
 * @param project folder that holds `supabase/migrations`
 * @throws MigrationFailed with the file's name and the database's message
 */
export async function migrate(app: App, database: Database, project: string): Promise<void> {
  const { applyPendingMigrations, listMigrationFiles } = await loadLibrary(
    () => import('@supabase/lite/cli'),
  );
  await app.ensureSystemSchema();
  await database.query(ROLES);
  for (const statement of [...HOSTED_PRIVILEGES, ...REALTIME_SCHEMA]) {
    await database.query(statement);
  }

  // The migrator looks for migrations below the working directory only.
  const workingDirectory = process.cwd();
  process.chdir(project);
  try {
    await applyPendingMigrations(app);
  } catch (thrown) {
    const applied = new Set(await appliedVersions(database));
    const failed = (await listMigrationFiles(app)).find((file) => !applied.has(file.version));
    if (failed === undefined) throw thrown;
    throw new MigrationFailed(failed.filename, thrown);
  } finally {
    process.chdir(workingDirectory);
  }
}

/**
 * Keeps the library from granting all privileges on all tables to anon, authenticated and service_role
 * at its first request, which would undo the migrations' `revoke`. It marks that step as done in a
 * private field of the library; a test checks that this works.
 */
export function keepPrivileges(app: App): void {
  Object.assign(app.connection, { rlsState: 'active' });
}

async function appliedVersions(database: Database): Promise<string[]> {
  const rows = await database.query('select version from supabase_migrations.schema_migrations');
  return rows.map((row) => String(row['version']));
}
