/**
 * Does what a newcomer with Node 20 does: clones the last commit, installs and starts the shop. Fails
 * when the install prints a warning or the shop does not answer with products.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { LOCAL_PUBLISHABLE_KEY } from '../supabase/local/keys.ts';
import { temporaryFolder } from './supabase/shop.ts';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

await using folder = await temporaryFolder();
const [tools, clone] = [join(folder.path, 'tools'), join(folder.path, 'weft')];
await run('npm', ['install', '--prefix', tools, 'node@20', 'npm@10']);
await run('git', ['clone', '--quiet', ROOT, clone]);

// Removes what npm has added for this checkout: its node_modules in the PATH, and its settings.
const outerPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((entry) => !entry.includes(ROOT));
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  PATH: [join(tools, 'node_modules/.bin'), ...outerPath].join(delimiter),
  PORT: '0',
};
const { stdout: version } = await run('node', ['--version'], { env });
if (!version.startsWith('v20.')) throw new Error(`this is Node ${version}, not 20`);

const installed = await run('npm', ['install'], { cwd: clone, env });
const printed = installed.stdout + installed.stderr;
console.log(`npm install on Node ${version.trim()}:\n${printed.trim()}`);
if (/warn/i.test(printed)) throw new Error('npm install prints warnings');

const shop = spawn('npm', ['start'], { cwd: clone, env, detached: true });
const ended = once(shop, 'close');
try {
  shop.stderr.pipe(process.stderr);
  const url = await openedAt(shop.stdout);
  const page = await (await fetch(url)).text();
  const answer = await fetch(`${url}/rest/v1/products?select=SKC`, {
    headers: { apikey: LOCAL_PUBLISHABLE_KEY },
  });
  const products = (await answer.json()) as readonly unknown[];
  console.log(`npm start: open at ${url} with ${products.length} products`);
  if (!page.includes('id="root"') || products.length === 0)
    throw new Error('the shop shows no products');
} finally {
  // Ends npm and its child process, the shop.
  if (shop.pid !== undefined) process.kill(-shop.pid, 'SIGTERM');
  await ended;
}

/** Waits until `npm start` prints the shop's address, and returns it. */
async function openedAt(output: Readable): Promise<string> {
  let printed = '';
  for await (const text of output.setEncoding('utf8') as AsyncIterable<string>) {
    printed += text;
    const url = / is open at (\S+)/.exec(printed)?.[1];
    if (url) return url;
  }
  throw new Error(`npm start ended:\n${printed}`);
}
