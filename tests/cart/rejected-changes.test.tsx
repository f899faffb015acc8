/** The list of the changes that the server has rejected. */
// First: Dexie looks for IndexedDB when it is imported.
import 'fake-indexeddb/auto';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { ChangeAction } from '../../src/domain/change.ts';
import { viewOf } from '../shopper-view.ts';

const garment = (id: number, title: string) => ({
  id,
  skc: `S-${id}`,
  size: 'M',
  picture: null,
  title,
  material: null,
  price: null,
});

const rejectedRow = (id: string, action: ChangeAction) => ({
  id,
  uid: 'ada',
  change: { ...action, id, schema: 1, madeAt: '2026-01-01T00:00:00Z', baseVer: 0 },
  message: 'Sold out.',
});

test('the buttons of rejected changes are named after what was not saved', async () => {
  vi.stubGlobal('location', new URL('https://shop.weft.test/'));
  // Imported late: `remote/config.ts` reads `location` while it loads.
  const { RejectedChanges } = await import('../../src/cart/rejected-changes.tsx');
  const view = {
    ...viewOf('ada'),
    seen: [garment(1, 'Coat'), garment(2, 'Scarf')],
    rejected: [
      rejectedRow('a', { kind: 'cart.add', args: { productId: 1, by: 1 } }),
      rejectedRow('b', { kind: 'favourite.add', args: { productId: 1 } }),
      rejectedRow('c', { kind: 'cart.add', args: { productId: 2, by: 1 } }),
    ],
  };
  const markup = renderToStaticMarkup(<RejectedChanges view={view} />);
  const names = [...markup.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, name]) => name);
  expect(names).toEqual([
    'Dismiss: We couldn’t add Coat, size M to your cart.',
    'Dismiss: We couldn’t add Coat, size M to your favourites.',
    'Dismiss: We couldn’t add Scarf, size M to your cart.',
  ]);
});
