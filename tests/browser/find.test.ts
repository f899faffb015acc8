/** Which browser the tests use, and how a machine without one gets it. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../supabase/shop.ts';

const FINDER = `
  import { findChromium } from '${join(import.meta.dirname, 'find.ts')}';
  console.log(findChromium());`;

/** Runs the finder as on a machine whose only commands are in the folder, and without a network. */
function find(folder: string) {
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', FINDER], {
    env: {
      PATH: folder,
      HOME: folder,
      TMPDIR: folder,
      // Nothing listens there, which Playwright finds out five times.
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
  'the output of a failed installer is shown, and one sentence says what to do',
  { timeout: 120_000 },
  async () => {
    await using folder = await temporaryFolder();
    writeCommand(folder.path, 'apt-get', 'echo "E: Could not get lock"; exit 100');
    const failure = await find(folder.path).then(
      () => null,
      (error: { code: number; stderr: string }) => error,
    );
    expect(failure?.code).toBe(1);
    expect(failure?.stderr).toContain('E: Could not get lock');
    expect(failure?.stderr).toMatch(
      /The browser tests need Chromium.* sudo apt-get install chromium.* CHROMIUM_PATH/,
    );
  },
);

test(
  'a browser that an installer brings is used, and no other installer runs',
  { tags: 'long', timeout: 120_000 },
  async () => {
    await using folder = await temporaryFolder();
    const browser = join(folder.path, 'chromium-headless-shell');
    const write = `printf '#!/bin/sh\\n' > ${browser}; chmod +x ${browser}`;
    writeCommand(folder.path, 'apt-get', `case "$*" in *chromium-headless-shell) ${write};; esac`);
    writeCommand(folder.path, 'dnf', `touch ${folder.path}/called`);
    expect((await find(folder.path)).stdout.trim()).toBe(browser);
    expect(existsSync(join(folder.path, 'called'))).toBe(false);
  },
);

test('a command that has the name of a browser but does not start is skipped', async () => {
  await using folder = await temporaryFolder();
  writeCommand(folder.path, 'chromium-browser', 'echo "requires the chromium snap"; exit 1');
  const browser = writeCommand(folder.path, 'microsoft-edge', '');
  writeCommand(folder.path, 'apt-get', `touch ${folder.path}/called`);
  expect((await find(folder.path)).stdout.trim()).toBe(browser);
  expect(existsSync(join(folder.path, 'called')), 'no installer runs').toBe(false);
});
