/**
 * Runs the browser tests against the functions as Netlify's bundler packs them. The bundles are outside
 * the project, so each function finds only what is in its bundle.
 *
 * `npm run test:all -- bundled` runs this. `npx node tests/bundled-functions.ts cart` runs the test files whose
 * path contains `cart`.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './supabase/shop.ts';

/** npx downloads the bundler when this script runs, because nothing else needs it. */
const BUNDLER = '@netlify/zip-it-and-ship-it@16.2.3';
const PROJECT = join(import.meta.dirname, '..');
const SOURCES = join(PROJECT, 'netlify/functions');

await using folder = await temporaryFolder();
const functions = join(folder.path, 'functions');
const bundles = join(functions, 'bundles');
await mkdir(bundles, { recursive: true });
await promisify(execFile)('npx', ['--yes', BUNDLER, SOURCES, bundles, '--archive-format', 'none'], {
  cwd: PROJECT,
  maxBuffer: 64 * 1024 * 1024,
});
const names = await readdir(SOURCES);
for (const name of names.map((file) => file.replace('.ts', ''))) {
  const bundle = JSON.stringify(`./bundles/${name}/netlify/functions/${name}.mjs`);
  const code = `export { default } from ${bundle};\nexport * from ${bundle};\n`;
  await writeFile(join(functions, `${name}.ts`), code);
}
console.log(`${names.length} functions are bundled`);
process.exitCode = await run('vitest', ['run', '--project', 'browser', ...process.argv.slice(2)]);

function run(program: string, args: readonly string[]): Promise<number> {
  const env = { ...process.env, FUNCTIONS_FOLDER: functions };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: PROJECT, env, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  });
}
