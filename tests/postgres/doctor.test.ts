/** The checks of the doctor that need a connection to the database. */
import { expect, test } from 'vitest';
import { checkDatabase } from '../../netlify/doctor/database.ts';
import type { Finding } from '../../netlify/doctor/finding.ts';
import { migrationFiles } from '../../netlify/doctor/migrations.ts';
import { openPostgresShopForFile } from './shop.ts';

const { server, backend } = await openPostgresShopForFile();

/** What the doctor finds about the database at an address. */
function findings(url = server.url): Promise<readonly Finding[]> | readonly Finding[] {
  return checkDatabase({
    environment: { SUPABASE_DB_URL: url },
    fetch: globalThis.fetch,
    now: () => new Date(),
    pictureAddresses: [],
    siteFolder: 'none',
  });
}

async function findingAbout(subject: string, url?: string) {
  return (await findings(url)).find((finding) => finding.subject === subject);
}

test('the doctor names the newest migration when it was not applied', async () => {
  expect(await findingAbout('Migrations')).toMatchObject({ state: 'ok' });
  const newest = migrationFiles().at(-1) ?? '';
  const version = newest.split('_', 1)[0];
  await backend.query(
    `delete from supabase_migrations.schema_migrations where version = '${version}'`,
  );
  expect((await findingAbout('Migrations'))?.words).toContain(newest);
});

test('the doctor reports a database without any migration', async () => {
  await backend.query('drop table supabase_migrations.schema_migrations');
  expect(await findingAbout('Migrations')).toMatchObject({ state: 'fault' });
});

test('the doctor names a table without row-level security', async () => {
  expect(await findingAbout('Policies')).toMatchObject({ state: 'ok' });
  await backend.query('create table public.left_open (id int)');
  expect((await findingAbout('Policies'))?.words).toContain('left_open');
});

test('the doctor reports a database that does not answer, without its password', async () => {
  const finding = await findingAbout('SUPABASE_DB_URL', 'postgres://postgres:secret@127.0.0.1:9/x');
  expect(finding?.state).toBe('fault');
  expect(finding?.words).not.toContain('secret');
});
