/** Unsaved changes that accounts have left on a device where they are not signed in. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, test } from 'vitest';
import { WeftDatabase } from '../../src/db/database.ts';
import { readLeftBehind, removeLeftBehind } from '../../src/db/left-behind.ts';
import { CHANGE_SCHEMA } from '../../src/domain/change.ts';
import { ANNA, BERTA } from './catalogue.ts';

let db: WeftDatabase;

beforeEach(async () => {
  db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
  for (const [uid, id] of [
    [ANNA, 'a'],
    [BERTA, 'b'],
    [ANNA, 'c'],
  ] as const) {
    const made = { id, schema: CHANGE_SCHEMA, madeAt: '', baseVer: 0 };
    const change = { ...made, kind: 'cart.clear', args: {} } as const;
    await db.outbox.add({ uid, id, change });
  }
});

const signIn = (uid: string, session: 'live' | 'ended') =>
  db.meta.put({ key: 'shopper', uid, email: '', session });
const unsavedIds = async () => (await db.outbox.toArray()).map(({ id }) => id);

test('the changes of an account that is not logged in here are listed and can be removed', async () => {
  await signIn(BERTA, 'live');
  expect(await readLeftBehind(db)).toEqual({ own: [], others: ['a', 'c'] });
  await removeLeftBehind(db, ['a', 'c']);
  expect(await unsavedIds()).toEqual(['b']);
});

test('after the session has ended the shopper may remove their own changes and those of others', async () => {
  await signIn(ANNA, 'ended');
  expect(await readLeftBehind(db)).toEqual({ own: ['a', 'c'], others: ['b'] });
  await removeLeftBehind(db, ['a']);
  expect(await unsavedIds()).toEqual(['b', 'c']);
});

test('a visitor may remove all waiting changes', async () => {
  expect((await readLeftBehind(db)).others).toEqual(['a', 'b', 'c']);
  await removeLeftBehind(db, ['b']);
  expect(await unsavedIds()).toEqual(['a', 'c']);
});

test('a shopper who logs in before the removal is confirmed keeps their changes', async () => {
  await signIn(ANNA, 'live');
  await removeLeftBehind(db, ['a', 'b', 'c']);
  expect(await unsavedIds()).toEqual(['a', 'c']);
});
