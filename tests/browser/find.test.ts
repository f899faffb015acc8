/** Which browser the tests use, and how a machine without one gets it. */
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../supabase/shop.ts';

const FINDER = join(import.meta.dirname, 'find-in-process.ts');

/** Runs the finder as on a machine whose only commands are in the folder, and without a network. */
function find(folder: string) {
  return promisify(execFile)(process.execPath, [FINDER], {
    env: {
      PATH: folder,
      HOME: folder,
      TMPDIR: folder,
      // Nothing listens there.
      PLAYWRIGHT_DOWNLOAD_HOST: 'http://127.0.0.1:9',
    },
  });
}

/** Writes a shell script that stands for a command of the machine, and returns its path. */
function writeCommand(folder: string, name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test(
  'three test runs that start at once on a machine without a browser install it once',
  { tags: 'long' },
  async () => {
    await using folder = await temporaryFolder();
    const browser = join(folder.path, 'chromium-headless-shell');
    writeCommand(
      folder.path,
      'apt-get',
      `echo "$1" >> ${folder.path}/calls
     if [ "$1" = install ]; then sleep 1; printf '#!/bin/sh\\n' > ${browser}; chmod +x ${browser}; fi`,
    );
    const runs = await Promise.all([1, 2, 3].map(() => find(folder.path)));
    expect(runs.map(({ stdout }) => stdout.trim())).toEqual([browser, browser, browser]);
    expect(readFileSync(join(folder.path, 'calls'), 'utf8').trim().split('\n')).toEqual([
      'update',
      'install',
    ]);
  },
);

test('the output of a failed installer is shown, and one sentence says what to do', async () => {
  await using folder = await temporaryFolder();
  writeCommand(folder.path, 'apt-get', 'echo "E: Could not get lock"; exit 100');
  const failure = await find(folder.path).then(
    () => null,
    (error: { code: number; stderr: string }) => error,
  );
  expect(failure?.code).toBe(1);
  expect(failure?.stderr).toContain('E: Could not get lock');
  expect(failure?.stderr.trim().split('\n').at(-1)).toMatch(
    /^The browser tests need Chromium.* sudo apt-get install chromium.* CHROMIUM_PATH/,
  );
});

test('a command that has the name of a browser but does not start is skipped', async () => {
  await using folder = await temporaryFolder();
  writeCommand(folder.path, 'chromium-browser', 'echo "requires the chromium snap"; exit 1');
  const browser = writeCommand(folder.path, 'microsoft-edge', '');
  expect((await find(folder.path)).stdout.trim()).toBe(browser);
});

test('an installed browser is used without calling an installer', async () => {
  await using folder = await temporaryFolder();
  const browser = writeCommand(folder.path, 'google-chrome', '');
  writeCommand(folder.path, 'apt-get', `touch ${folder.path}/called`);
  expect((await find(folder.path)).stdout.trim()).toBe(browser);
  expect(() => readFileSync(join(folder.path, 'called'))).toThrow('ENOENT');
});
