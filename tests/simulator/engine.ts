/** Loads the client engine from `src`, or from a copy of it with a deliberate bug. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';

export const PROJECT = join(import.meta.dirname, '../..');

export type Engine = Awaited<ReturnType<typeof loadEngine>>;

/** @param project folder that holds `src` */
export async function loadEngine(project = PROJECT) {
  await prepareDexie();
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(project, file)).href);
  // The files are what they are in `src`, but for a bug.
  const database = (await load('src/db/database.ts')) as typeof import('../../src/db/database.ts');
  const log = (await load('src/db/shopper-log.ts')) as typeof import('../../src/db/shopper-log.ts');
  const identity = (await load('src/db/identity.ts')) as typeof import('../../src/db/identity.ts');
  const remote = (await load(
    'src/remote/shopper.ts',
  )) as typeof import('../../src/remote/shopper.ts');
  const tokens = (await load(
    'src/remote/auth-tokens.ts',
  )) as typeof import('../../src/remote/auth-tokens.ts');
  const refresh = (await load(
    'src/remote/auth-refresh.ts',
  )) as typeof import('../../src/remote/auth-refresh.ts');
  const change = (await load(
    'src/domain/change.ts',
  )) as typeof import('../../src/domain/change.ts');
  const sync = (await load('src/sync/shopper.ts')) as typeof import('../../src/sync/shopper.ts');
  return { ...database, ...log, ...identity, ...remote, ...tokens, ...refresh, ...change, ...sync };
}

/** Live queries rest where there is no IndexedDB, and tell other processes where there are channels. */
async function prepareDexie(): Promise<void> {
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  const { default: Dexie } = await import('dexie');
  Object.assign(Dexie.dependencies, { indexedDB: new IDBFactory(), IDBKeyRange });
}
