/** The checks of the doctor that need a connection to the database. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDatabase } from '../../netlify/doctor/database.ts';
import { deploymentOf, findingAbout } from '../netlify/deployment.ts';
import { openPostgresShopForFile } from './shop.ts';

const { server, backend } = await openPostgresShopForFile();

/** The doctor's finding about a subject in the database at this URL; undefined when there is none. */
async function find(subject: string, url = server.url) {
  return findingAbout(subject, await checkDatabase(deploymentOf({ SUPABASE_DB_URL: url })));
}

test('the doctor names the newest migration when it was not applied', async () => {
  expect(await find('Migrations')).toMatchObject({ state: 'ok' });
  const newest =
    readdirSync(join(import.meta.dirname, '../../supabase/migrations'))
      .sort()
      .at(-1) ?? '';
  const version = newest.split('_', 1)[0];
  await backend.query(
    `delete from supabase_migrations.schema_migrations where version = '${version}'`,
  );
  expect((await find('Migrations'))?.words).toContain(newest);
});

test('the doctor reports a database without any migration', async () => {
  await backend.query('drop table supabase_migrations.schema_migrations');
  expect(await find('Migrations')).toMatchObject({ state: 'fault' });
});

test('the doctor names a table without row-level security', async () => {
  expect(await find('Policies')).toMatchObject({ state: 'ok' });
  await backend.query('create table public.left_open (id int)');
  expect((await find('Policies'))?.words).toContain('left_open');
});

test('the doctor reports a database that does not answer, without its password', async () => {
  const finding = await find('SUPABASE_DB_URL', 'postgres://postgres:secret@127.0.0.1:9/x');
  expect(finding?.state).toBe('fault');
  expect(finding?.words).not.toContain('secret');
});
