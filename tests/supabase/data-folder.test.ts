/** The data folder of the embedded backend: locks, damage, migrations that fail, and its log. */
import { spawnSync } from 'node:child_process';
import { cp, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openBackend } from '../../supabase/local/backend.ts';
import { emptyDataFolder } from '../../supabase/local/data-folder.ts';
import {
  DataFolderDamaged,
  DataFolderForeign,
  DataFolderInUse,
  MigrationFailed,
} from '../../supabase/local/failures.ts';
import { fewOf } from '../full-run.ts';
import { columnOf } from './column.ts';
import { freshDatabase, temporaryFolder } from './shop.ts';

/** A data folder with one product, whose stock code is KEPT. Each test copies it. */
const template = await temporaryFolder();
afterAll(() => template[Symbol.asyncDispose]());
const first = await openFolder(join(template.path, 'data'));
// A trigger replaces the 0 by the next version.
await first.query(`insert into public.products ("SKC", ver) values ('KEPT', 0)`);
await first.close();

/** Copies the data folder. `await using` removes the copy at the end of the block. */
async function copyTemplate() {
  const folder = await temporaryFolder();
  await cp(template.path, folder.path, { recursive: true });
  return { ...folder, data: join(folder.path, 'data') };
}

/** Opens a data folder. @param project the repository whose migrations are applied; by default this one */
async function openFolder(dataFolder: string, project?: string) {
  const image = await freshDatabase();
  return openBackend({ dataFolder, log: () => undefined, image, ...(project && { project }) });
}

/** Opens a data folder, reads the stock codes in it, and closes it. */
async function storedCodes(dataFolder: string): Promise<unknown[]> {
  const backend = await openFolder(dataFolder);
  const codes = await columnOf(backend, 'select "SKC" from public.products order by id');
  await backend.close();
  return codes;
}

test('the secrets can be read by their owner only', async () => {
  const { mode } = await stat(join(template.path, 'data/secrets.json'));
  expect(mode & 0o777).toBe(0o600);
});

test('after a first start that was killed half-way the next start succeeds', async () => {
  await using folder = await copyTemplate();
  // A first start makes the database under this name, and renames it when the database is whole.
  await rename(join(folder.data, 'database'), join(folder.data, 'database.new'));
  await rm(join(folder.data, 'database.new/base'), { recursive: true });
  expect(await storedCodes(folder.data)).toEqual([]);
});

describe('a data folder that cannot be used says what to do', () => {
  test('when it is in use by another running shop', async () => {
    await using folder = await copyTemplate();
    const backend = await openFolder(folder.data);
    const second = openFolder(folder.data);
    await expect(second).rejects.toThrow(DataFolderInUse);
    await expect(second).rejects.toThrow(`process ${process.pid}`);
    expect(() => emptyDataFolder(folder.data)).toThrow(DataFolderInUse);
    await backend.close();
    await (await openFolder(folder.data)).close();
  });

  test('but opens when a shop that has ended left its lock behind', async () => {
    await using folder = await copyTemplate();
    const { pid: deadPid } = spawnSync(process.execPath, ['--version']);
    // The lock of a process that has ended, one of an earlier process with this one's pid, and a half-written one.
    for (const lock of [String(deadPid), String(process.pid), '']) {
      await writeFile(join(folder.data, 'lock'), lock);
      expect(await storedCodes(folder.data)).toEqual(['KEPT']);
    }
  });

  test('when it holds other files, which are then left alone', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'letter.txt'), 'Dear');
    await expect(openFolder(folder.path)).rejects.toThrow(DataFolderForeign);
    expect(() => emptyDataFolder(folder.path)).toThrow(DataFolderForeign);
    expect(await readdir(folder.path)).toEqual(['letter.txt']);
  });

  const damages: [string, (data: string) => Promise<void>][] = [
    ['a file of the database is gone', (data) => rm(join(data, 'database/global/pg_control'))],
    [
      'a file of the database is cut',
      (data) => truncate(join(data, 'database/global/pg_control'), 99),
    ],
    ['the secrets are half-written', (data) => truncate(join(data, 'secrets.json'), 20)],
  ];
  test.each(fewOf(2, damages))('when %s', async (_damage, damage) => {
    await using folder = await copyTemplate();
    await damage(folder.data);
    const opening = openFolder(folder.data);
    await expect(opening).rejects.toThrow(DataFolderDamaged);
    await expect(opening).rejects.toThrow('npm run reset');
    expect(emptyDataFolder(folder.data)).toBe(true);
    expect(await readdir(folder.data)).toEqual(['weft.json']);
  });
});

test(
  'a failing migration is reported with its name and the database’s message, and changes nothing',
  { tags: 'long' },
  async () => {
    await using folder = await copyTemplate();
    const migrations = join(folder.path, 'supabase/migrations');
    await cp(join(import.meta.dirname, '../../supabase/migrations'), migrations, {
      recursive: true,
    });
    const file = '20991231000000_wrong.sql';
    await writeFile(join(migrations, file), 'create table public.a (b int);\nselect nonsense;\n');
    const opening = openFolder(folder.data, folder.path);
    await expect(opening).rejects.toThrow(MigrationFailed);
    await expect(opening).rejects.toThrow(`${file} failed`);
    await expect(opening).rejects.toThrow('column "nonsense" does not exist');

    await writeFile(join(migrations, file), 'create table public.a (b int);\n');
    const backend = await openFolder(folder.data, folder.path);
    expect(await backend.query('select * from public.a')).toEqual([]);
    await backend.close();
  },
);
