/** The schema stands once in `supabase/schemas/`, and the migrations make the same database of it. */
import { mkdir, cp, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBackend } from '../../supabase/local/backend.ts';
import { BASELINE, baselineOf, readSchemas } from '../../supabase/local/baseline.ts';
import { catalogueOf } from './database-catalogue.ts';
import { freshDatabase, openTestBackend, temporaryFolder } from './shop.ts';

const schemas = readSchemas();

test('each table and function is defined once', () => {
  const definitions = schemas.flatMap((schema) =>
    [...schema.matchAll(/^create (?:or replace )?(?:table|function) public\.\w+/gm)].map(String),
  );
  expect(definitions.length).toBeGreaterThan(100);
  expect(definitions.toSorted()).toEqual([...new Set(definitions)].toSorted());
  for (const schema of schemas) expect(schema).not.toMatch(/^(?:create or replace|drop) /m);
});

test('the baseline is made of the schemas: `npm run baseline` after an edit', () => {
  expect(readFileSync(BASELINE, 'utf8')).toBe(baselineOf(schemas));
});

test('the migrations make the same database as the schemas', async () => {
  await using project = await temporaryFolder();
  const migrations = join(project.path, 'supabase/migrations');
  await mkdir(migrations, { recursive: true });
  await cp(join(BASELINE, '../../config.toml'), join(project.path, 'supabase/config.toml'));
  for (const [i, schema] of schemas.entries()) {
    await writeFile(join(migrations, `2026120100000${i}_schema.sql`), schema);
  }
  const image = await freshDatabase();
  const ofSchemas = await openBackend({
    dataFolder: 'memory',
    log: () => undefined,
    image,
    project: project.path,
  });
  const ofMigrations = await openTestBackend();
  const expected = await catalogueOf(ofSchemas.query);
  expect(expected.length).toBeGreaterThan(500);
  expect(await catalogueOf(ofMigrations.query)).toEqual(expected);
  await ofSchemas.close();
  await ofMigrations.close();
});
