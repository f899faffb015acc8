/**
 * The folder that keeps the shop's data between starts:
 *
 *   weft.json       marks the folder as the shop's; `reset` empties no folder without it
 *   lock            pid of the running shop
 *   secrets.json    the key that signs tokens, and the secret key; readable by the owner only
 *   database/       Postgres. Made as database.new and renamed when complete, so a first start
 *                   that was cut short leaves nothing that looks like data
 *   backend.log     what the embedded library prints
 *   no-samples      there after `reset --empty`: no start loads the sample catalogue
 *   mails.json      the newest mails to shoppers, with their links; readable by the owner only
 */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import {
  DataFolderDamaged,
  DataFolderForeign,
  DataFolderUnwritable,
  messageWithoutStop,
} from './failures.ts';
import { takeLock } from './lock.ts';

export interface Secrets {
  /** Signs access tokens; at least 32 bytes, as the auth library demands. */
  readonly jwtSecret: string;
  /** The key that stands for `service_role`. */
  readonly secretKey: string;
}

export interface DataFolder {
  readonly path: string;
  readonly database: string;
  readonly newDatabase: string;
  readonly log: string;
  readonly mails: string;
  readonly secrets: Secrets;
  /** Unlocks the folder for other processes. */
  release(): void;
}

const MARKER = 'weft.json';
const NO_SAMPLES = 'no-samples';

/** Where the shop keeps its data: WEFT_DATA, or `.weft` at the project's root. */
export function defaultDataFolder(): string {
  return resolve(process.env['WEFT_DATA'] || join(import.meta.dirname, '../../.weft'));
}

export function newSecrets(): Secrets {
  return {
    jwtSecret: randomBytes(48).toString('base64url'),
    secretKey: `sb_secret_${randomBytes(32).toString('base64url')}`,
  };
}

/**
 * Makes or claims the folder and locks it.
 *
 * @throws DataFolderUnwritable, DataFolderForeign, DataFolderInUse or DataFolderDamaged
 */
export function openDataFolder(folder: string): DataFolder {
  const path = resolve(folder);
  claim(path);
  const release = takeLock(path);
  try {
    const database = join(path, 'database');
    const newDatabase = join(path, 'database.new');
    rmSync(newDatabase, { recursive: true, force: true });
    checkDatabase(path, database);
    const secrets = readOrMakeSecrets(path);
    const [log, mails] = [join(path, 'backend.log'), join(path, 'mails.json')];
    return { path, database, newDatabase, log, mails, secrets, release };
  } catch (thrown) {
    release();
    throw isSystemError(thrown) ? new DataFolderUnwritable(path, thrown) : thrown;
  }
}

/**
 * Removes all the shop's data. Leaves the folder with its marker, so that it stays the shop's.
 *
 * @returns false when there is nothing to empty
 * @throws DataFolderForeign, DataFolderInUse or DataFolderUnwritable
 */
export function emptyDataFolder(folder: string): boolean {
  const path = resolve(folder);
  if (!existsSync(path)) return false;
  if (!isOurs(path)) throw new DataFolderForeign(path);
  const release = takeLock(path);
  try {
    for (const entry of readdirSync(path)) {
      if (entry !== 'lock' && entry !== MARKER) rmSync(join(path, entry), { recursive: true });
    }
  } catch (thrown) {
    throw new DataFolderUnwritable(path, thrown);
  } finally {
    release();
  }
  return true;
}

/** Marks the folder, so that no start loads the sample catalogue. @throws as `openDataFolder` */
export function leaveOutSamples(folder: string): void {
  const path = resolve(folder);
  claim(path);
  writeFileSync(join(path, NO_SAMPLES), '');
}

export function takesSamples(folder: string): boolean {
  return !existsSync(join(resolve(folder), NO_SAMPLES));
}

/** Renames the finished database, so that the next start finds it. */
export function adoptNewDatabase(folder: DataFolder): void {
  renameSync(folder.newDatabase, folder.database);
}

function claim(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK);
    if (isOurs(path)) return;
    if (readdirSync(path).length > 0) throw new DataFolderForeign(path);
    writeFileSync(join(path, MARKER), '{ "what": "data of the embedded shop", "layout": 1 }\n');
  } catch (thrown) {
    throw thrown instanceof DataFolderForeign ? thrown : new DataFolderUnwritable(path, thrown);
  }
}

function isOurs(path: string): boolean {
  return existsSync(join(path, MARKER));
}

/** Without this check Postgres would create an empty database over one that lost its version file. */
function checkDatabase(path: string, database: string): void {
  if (!existsSync(database)) return;
  for (const file of ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal']) {
    if (!existsSync(join(database, file))) {
      throw new DataFolderDamaged(path, `database/${file} is missing`);
    }
  }
}

function readOrMakeSecrets(path: string): Secrets {
  const file = join(path, 'secrets.json');
  if (!existsSync(file)) {
    // New secrets keep the catalogue usable; all users have to sign in again.
    const secrets = newSecrets();
    writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return secrets;
  }
  chmodSync(file, 0o600);
  try {
    return parseSecrets(JSON.parse(readFileSync(file, 'utf8')));
  } catch (thrown) {
    if (isSystemError(thrown)) throw thrown;
    throw new DataFolderDamaged(
      path,
      `secrets.json cannot be read (${messageWithoutStop(thrown)})`,
      thrown,
    );
  }
}

function parseSecrets(value: unknown): Secrets {
  const { jwtSecret, secretKey } = (value ?? {}) as Record<string, unknown>;
  if (typeof jwtSecret !== 'string' || jwtSecret.length < 32 || typeof secretKey !== 'string') {
    throw new Error('a secret is missing');
  }
  return { jwtSecret, secretKey };
}

function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}
