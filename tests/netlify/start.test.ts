/** What the commands `npm start`, `reset` and `seed` say, and what they take from `.env`. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { takesSamples } from '../../supabase/local/data-folder.ts';
import { takeVariables } from '../../supabase/local/script.ts';
import { temporaryFolder } from '../supabase/shop.ts';

const ROOT = join(import.meta.dirname, '../..');

const folder = await temporaryFolder();
const taken = createServer().listen(0, '127.0.0.1');
await once(taken, 'listening');
const { port: takenPort } = taken.address() as AddressInfo;
afterAll(async () => {
  taken.close();
  await folder[Symbol.asyncDispose]();
});

/** Runs one of the commands in a process of its own. */
function run(script: string, args: readonly string[], env: Record<string, string>) {
  return new Promise<{ status: number; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(ROOT, script), ...args],
      { cwd: ROOT, env: { ...process.env, ...env } },
      (_failure, stdout, stderr) =>
        resolve({ status: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

const START = 'netlify/local/start.ts';
const RESET = 'supabase/local/reset.ts';
const SEED = 'supabase/local/seed.ts';

describe('a command that must fail says why in one line and ends with status 1', () => {
  const inUse = String(takenPort);
  test.each([
    ['npm start with a port in use', START, [], inUse, 'is in use by another program'],
    ['npm start with too large a port', START, [], '99999', 'PORT must be a number'],
    ['npm run reset with a word', RESET, ['empty'], '0', 'takes --empty and nothing else'],
    ['npm run seed with a word', SEED, ['ten'], '0', 'Say how many products'],
  ])('%s', async (_what, script, args, PORT, sentence) => {
    const { status, output } = await run(script, args, { PORT, WEFT_DATA: folder.path });
    expect(output).toContain(sentence);
    expect([status, output.trim().split('\n').length]).toEqual([1, 1]);
  });
});

test('npm run reset succeeds when there is no folder to empty', async () => {
  const { status, output } = await run(RESET, [], { WEFT_DATA: join(folder.path, 'none') });
  expect([status, output]).toEqual([0, expect.stringContaining('Nothing to empty')]);
});

test('npm run reset -- --empty leaves a folder in which no start puts the samples, until a plain reset', async () => {
  const data = join(folder.path, 'own');
  for (const [args, isWithSamples] of [
    [['--empty'], false],
    [[], true],
  ] as const) {
    const { status } = await run(RESET, [...args], { WEFT_DATA: data });
    expect([status, takesSamples(data)]).toEqual([0, isWithSamples]);
  }
});

test('.env gives a command its port, folder, name and texts, where the environment does not, and no keys', async () => {
  await using shop = await temporaryFolder();
  const file = join(shop.path, '.env');
  const written = {
    PORT: '5001',
    WEFT_DATA: '/data',
    VITE_STORE_NAME: 'Nordkap',
    SHOP_CARE: 'Wash cold.',
    STRIPE_SECRET_KEY: 'sk_live_1',
  };
  await writeFile(
    file,
    Object.entries(written)
      .map((entry) => entry.join('='))
      .join('\n'),
  );
  for (const name of Object.keys(written)) vi.stubEnv(name, '');
  vi.stubEnv('PORT', '5002');
  onTestFinished(() => void vi.unstubAllEnvs());
  takeVariables(file);
  expect(process.env).toMatchObject({ ...written, PORT: '5002', STRIPE_SECRET_KEY: '' });
});
