/** What the embedded backend still has when it starts again, also after it was killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFolderTemplate, openFolder, storedCodes } from './folders.ts';
import { temporaryFolder } from './shop.ts';

const template = await makeFolderTemplate();
afterAll(() => template.remove());

describe('closing and opening again', () => {
  test('keeps products, accounts, keys and the versions of the catalogue', async () => {
    await using folder = await template.copy();
    const first = await openFolder(folder.data);
    const { secretKey, jwtSecret } = first;
    await first.close();
    const second = await openFolder(folder.data);
    expect(second).toMatchObject({ secretKey, jwtSecret });
    const [accounts] = await second.query('select count(*) from auth.users');
    await second.close();
    expect(accounts).toEqual({ count: 1 });
    expect(await storedCodes(folder.data)).toEqual(['KEPT']);
  });
});

test('the first start prints one line, and makes secrets that only their owner can read', async () => {
  expect(template.lines).toEqual([
    'It is the first start: making the database, which takes a few seconds …',
  ]);
  const { mode } = await stat(join(template.path, 'secrets.json'));
  expect(mode & 0o777).toBe(0o600);
});

test('a shop that is killed while it writes loses no product that it has reported as stored', async () => {
  await using folder = await template.copy();
  const script = join(import.meta.dirname, 'killed-shop.ts');
  const LINES = 60;
  // Both shops begin with the first product, so the second must run for longer to write other products, too.
  for (const run of [1, 2]) {
    const shop = spawn(process.execPath, [script, folder.data]);
    const exited = once(shop, 'exit');
    const printed: string[] = [];
    for await (const line of createInterface(shop.stdout)) {
      printed.push(line);
      if (printed.length === LINES * run) shop.kill('SIGKILL');
    }
    await exited;
    const reported = printed.filter((line) => line.startsWith('kept '));
    const codes = reported.map((line) => line.slice('kept '.length));
    // Only a few of the lines are about the start.
    expect(codes.length).toBeGreaterThan(LINES / 2);
    expect(await storedCodes(folder.data)).toEqual(expect.arrayContaining(codes));
  }
});

test('after a first start that was killed half-way the next start succeeds', async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  const shop = spawn(process.execPath, [join(import.meta.dirname, 'killed-shop.ts'), data]);
  // A first start makes the database in this folder, and renames the folder when the database is whole.
  while (!existsSync(join(data, 'database.new'))) {
    await new Promise((done) => setTimeout(done, 20));
  }
  shop.kill('SIGKILL');
  await once(shop, 'exit');
  expect(await storedCodes(data)).toEqual([]);
});
