/** The data folder of the embedded backend: locks, damage, migrations that fail, and its log. */
import { spawnSync } from 'node:child_process';
import { cp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { emptyDataFolder } from '../../supabase/local/data-folder.ts';
import {
  DataFolderDamaged,
  DataFolderForeign,
  DataFolderInUse,
  MigrationFailed,
} from '../../supabase/local/failures.ts';
import { fewOf } from '../full-run.ts';
import { makeFolderTemplate, openFolder, storedCodes } from './folders.ts';
import { temporaryFolder } from './shop.ts';

const template = await makeFolderTemplate();
afterAll(() => template.remove());

describe('a data folder that cannot be used says what to do', () => {
  test('when it is in use by another running shop', async () => {
    await using folder = await template.copy();
    const backend = await openFolder(folder.data);
    const second = openFolder(folder.data);
    await expect(second).rejects.toThrow(DataFolderInUse);
    await expect(second).rejects.toThrow(`process ${process.pid}`);
    expect(() => emptyDataFolder(folder.data)).toThrow(DataFolderInUse);
    await backend.close();
    await (await openFolder(folder.data)).close();
  });

  test('but opens when a shop that has ended left its lock behind', async () => {
    await using folder = await template.copy();
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
    await using folder = await template.copy();
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
    await using folder = await template.copy();
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
