/** What a tab removes from screen and device when its shopper logs out or another one signs in. */
// First: Dexie looks for IndexedDB when it is imported.
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { matchesKey } from '../../src/account/personal-keys.ts';
import { forgetStateOfOthers } from '../../src/account/personal-state.ts';
import { undoFor } from '../../src/cart/undo.ts';
import { shopperStore } from '../../src/db/shopper-store.ts';
import type { ChangeAction } from '../../src/domain/change.ts';
import { noticeStore, notify } from '../../src/ui/notices.ts';
import { noteViewed, viewedCodes } from '../../src/ui/viewed.ts';
import { plugInStorage } from '../page-storage.ts';
import { viewOf } from '../shopper-view.ts';

const LINES = [{ productId: 7, quantity: 2, priceWhenAdded: null }];

let putBack: (readonly ChangeAction[])[];
/** Offers Ada Undo for what she removed, as the cart does. */
function offerUndo() {
  const undo = undoFor(LINES, async (actions) => void putBack.push(actions));
  notify('status', 'Coat was removed.', undo);
  return undo;
}

forgetStateOfOthers();
beforeEach(() => {
  plugInStorage('localStorage');
  putBack = [];
  shopperStore.set(viewOf('ada'));
});
afterEach(() => vi.restoreAllMocks());

test('Undo puts back what its shopper removed', () => {
  offerUndo().run?.();
  expect(putBack).toEqual([[{ kind: 'cart.set', args: { productId: 7, quantity: 2 } }]]);
});

/** How a shopper leaves, and what the store then has in their place. */
const DEPARTURES = [
  ['logs out', null],
  ['is replaced by another shopper', viewOf('eve')],
] as const;

test.each(DEPARTURES)('Undo and the product that it names go when the shopper %s', (_, next) => {
  offerUndo();
  shopperStore.set(next);
  expect(noticeStore.snapshot()).toBeNull();
});

test('Undo that appears after its shopper has gone does nothing, and goes at the next login', () => {
  const undo = undoFor(LINES, async (actions) => void putBack.push(actions));
  shopperStore.set(null);
  notify('status', 'Coat was removed.', undo);
  undo.run?.();
  shopperStore.set(viewOf('eve'));
  undo.run?.();
  expect([putBack, noticeStore.snapshot()]).toEqual([[], null]);
});

test('Undo stays while its shopper is signed in, and a notice for everybody stays after the logout', () => {
  offerUndo();
  shopperStore.set({ ...viewOf('ada'), unsaved: 1 });
  expect(noticeStore.snapshot()?.action?.label).toBe('Undo');
  notify('status', 'A new version is ready.', { label: 'Reload', run: () => undefined });
  shopperStore.set(null);
  expect(noticeStore.snapshot()?.action?.label).toBe('Reload');
});

test.each(DEPARTURES)(
  'the remembered columns of import files and the products that were viewed go when their shopper %s',
  (_, next) => {
    matchesKey.write('{"uid":"ada"}');
    noteViewed('COAT');
    // Another view of the same shopper removes nothing.
    shopperStore.set({ ...viewOf('ada'), unsaved: 1 });
    expect([matchesKey.read(), viewedCodes()]).toEqual(['{"uid":"ada"}', ['COAT']]);
    shopperStore.set(next);
    expect([matchesKey.read(), viewedCodes()]).toEqual([null, []]);
  },
);
