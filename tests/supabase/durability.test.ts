import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolderTemplate, openFolder, stored } from './folders.ts';
import { temporaryFolder } from './shop.ts';

let template: Awaited<ReturnType<typeof makeFolderTemplate>>;
beforeAll(async () => {
  template = await makeFolderTemplate();
});
afterAll(() => template.remove());

describe('closing and opening again', () => {
  test('keeps products, accounts, keys and the versions of the catalogue', async () => {
    await using folder = await template.copy();
    const first = await openFolder(folder.data);
    const { secretKey, jwtSecret } = first;
    await first.close();
    const second = await openFolder(folder.data);
    expect(second).toMatchObject({ secretKey, jwtSecret });
    const [kept] = await second.query('select count(*) from auth.users');
    await second.close();
    expect(kept).toEqual({ count: 1 });
    expect(await stored(folder.data)).toEqual(['KEPT']);
  });

  test('the secrets are readable by their owner only', async () => {
    const { mode } = await stat(join(template.path, 'secrets.json'));
    expect(mode & 0o777).toBe(0o600);
  });

  test('the person is told of the first start, and of nothing else', () => {
    expect(template.lines).toEqual([
      'First start: making the database, which takes a few seconds.',
    ]);
  });
});

test('a shop that is killed while it writes loses nothing that it said was kept', async () => {
  await using folder = await template.copy();
  const script = join(import.meta.dirname, 'killed-shop.ts');
  for (const kills of [1, 2]) {
    const shop = spawn(process.execPath, [script, folder.data]);
    const exited = once(shop, 'exit');
    const said: string[] = [];
    for await (const line of createInterface(shop.stdout)) {
      said.push(line);
      if (said.length === 60 * kills) shop.kill('SIGKILL');
    }
    await exited;
    const kept = said.filter((line) => line.startsWith('kept ')).map((line) => line.slice(5));
    expect(kept.length).toBeGreaterThan(50);
    expect(await stored(folder.data)).toEqual(expect.arrayContaining(kept));
  }
});

test('a first start that is killed half-way leaves nothing in the way of the next', async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  const shop = spawn(process.execPath, [join(import.meta.dirname, 'killed-shop.ts'), data]);
  while (!existsSync(join(data, 'database.new'))) {
    await new Promise((done) => setTimeout(done, 20));
  }
  shop.kill('SIGKILL');
  await once(shop, 'exit');
  expect(await stored(data)).toEqual([]);
});
