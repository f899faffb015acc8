/** A complete shop for a test: embedded backend in memory and web server, on a free port of loopback. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import type { Cdn } from '../../netlify/local/cdn.ts';
import { startHost } from '../../netlify/local/host.ts';
import { openMailServer } from '../../netlify/local/mail-server.ts';
import { type LocalPayments, openPayments } from '../../netlify/local/payments.ts';
import { type Backend, type BackendOptions, openBackend } from '../../supabase/local/backend.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A running shop. Its disposal closes it. */
export interface TestShop extends AsyncDisposable {
  /** Its address on this machine. */
  readonly url: string;
  readonly backend: Backend;
  /** Emulators for the payment providers, when they were asked for. */
  readonly payments: LocalPayments | undefined;
  close(): Promise<void>;
}

/** What a test may change about its shop. */
export interface TestShopOptions {
  /** By default FUNCTIONS_FOLDER (set by tests/bundled-functions.ts), or the sources. */
  readonly functionsFolder?: string;
  /** A built site to serve; without it the shop answers 404 for pages. */
  readonly siteFolder?: string;
  /** Variables that the functions read. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Opens emulators for the payment providers; without it the shop has none. */
  readonly payments?: boolean;
  /** Opens a mail server, whose mails are among those of the backend; without it the shop sends none. */
  readonly mail?: boolean;
  readonly backend?: Partial<BackendOptions>;
  /** Without it the shop keeps no answers, and phones see each change at once. */
  readonly cdn?: Cdn;
}

const FUNCTIONS = process.env['FUNCTIONS_FOLDER'] ?? join(ROOT, 'netlify/functions');

/** Opens a shop; its caller closes it, or declares it with `await using`. */
export async function openTestShop(options: TestShopOptions = {}): Promise<TestShop> {
  const backend = await openTestBackend(options.backend);
  const payments = options.payments ? await openPayments() : undefined;
  const mail = options.mail ? await openMailServer(backend.receiveMail) : undefined;
  const host = await startHost({
    port: 0,
    ...(options.siteFolder !== undefined && {
      site: { kind: 'built' as const, folder: options.siteFolder },
    }),
    functionsFolder: options.functionsFolder ?? FUNCTIONS,
    backend,
    environment: { ...mail?.environment, ...options.environment },
    ...(payments && { payments }),
    ...(options.cdn && { cdn: options.cdn }),
    log: (line) => console.error(line),
  }).catch(async (thrown: unknown) => {
    await payments?.close();
    await mail?.close();
    await backend.close();
    throw thrown;
  });
  const close = async () => {
    await host.close();
    await payments?.close();
    await mail?.close();
    await backend.close();
  };
  return { url: host.url, backend, payments, close, [Symbol.asyncDispose]: close };
}

/** Opens a backend in memory, without a web server. */
export async function openTestBackend(options: Partial<BackendOptions> = {}): Promise<Backend> {
  // The migrations of a changed copy of the project must run, or its changes would not count.
  const image = await (options.project === undefined ? migratedDatabase() : freshDatabase());
  return openBackend({ dataFolder: 'memory', log: () => undefined, image, ...options });
}

/** Creates a client of supabase-js like that of a page, but without storing its session. */
export function clientOf(
  shop: Pick<TestShop, 'url' | 'backend'>,
  key = shop.backend.publishableKey,
) {
  return createClient(shop.url, key, { auth: { persistSession: false, autoRefreshToken: false } });
}

/** Makes an empty folder, which is removed at the end of the block (`await using`). */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'weft-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The image of a new Postgres without tables, which is loaded in 0.3 s instead of made in 3 s. */
export function freshDatabase(): Promise<Blob> {
  return imageOf('pglite', [PGLITE], () => dump());
}

/** The image of a Postgres in which the migrations have run, which saves each test file 0.3 s. */
export function migratedDatabase(): Promise<Blob> {
  const local = ['supabase/migrations', 'supabase/local'].flatMap(filesIn);
  return imageOf('migrated', [PGLITE, LITE, 'supabase/config.toml', ...local], async () => {
    await using folder = await temporaryFolder();
    const dataFolder = join(folder.path, 'data');
    const image = await freshDatabase();
    await (await openBackend({ dataFolder, log: () => undefined, image })).close();
    // Awaited here, or the folder would be removed first.
    return await dump(join(dataFolder, 'database'));
  });
}

const PGLITE = 'node_modules/@electric-sql/pglite/package.json';
const LITE = 'node_modules/@supabase/lite/package.json';

const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder)).map((name) => join(folder, name));

/** The image of the database in a folder, or of a new one. */
async function dump(url?: string): Promise<Blob> {
  const { createPgliteConnection } = await import('@supabase/lite/pglite');
  const connection = await createPgliteConnection(url === undefined ? {} : { url });
  await connection.driver.waitReady;
  const image = await connection.driver.dumpDataDir('none');
  await connection.close();
  return image;
}

/** The image that `make` makes, stored in `.cache` until one of the source files changes. */
async function imageOf(
  name: string,
  sources: readonly string[],
  make: () => Promise<Blob>,
): Promise<Blob> {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(join(ROOT, source)));
  const path = `.cache/${name}-${hash.digest('hex').slice(0, 16)}.tar`;
  const file = join(ROOT, path);
  if (!existsSync(file)) {
    const image = await make();
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    // An image has 40 MB, so older images are removed. Another process may be writing this one under `path`.
    for (const cached of filesIn('.cache')) {
      const isOld = cached.startsWith(`.cache/${name}-`) && !cached.startsWith(path);
      if (isOld) rmSync(join(ROOT, cached), { force: true });
    }
    writeFileSync(`${file}.${process.pid}`, new Uint8Array(await image.arrayBuffer()));
    renameSync(`${file}.${process.pid}`, file);
  }
  return new Blob([readFileSync(file)]);
}
