import { expect, test } from 'vitest';
import { SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { uploader } from '../../src/remote/upload.ts';
import { SEED, seeded } from '../random.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { checkFile, newDevice, newPage } from './device.ts';
import { AWKWARD, fileOf } from './product-files.ts';

const shop = await openShopForFile();
const ann = await addShopper(shop, 'ann');

/** 904 products: the 4 awkward ones, and 300 garments in three sizes. */
const file = fileOf([
  ...AWKWARD,
  ...Array.from({ length: 900 }, (_, i) => [
    `K${Math.floor(i / 3)}`,
    ['S', 'M', 'L'][i % 3] ?? '',
    '',
    'Mützen',
    'Wool, felted',
    '',
    '',
    i % 7 === 0 ? '' : `${i}.25`,
  ]),
]);

/** A tab that calls the real function over a network that loses a fifth of requests and of answers. */
function openTab(chance: () => number) {
  const device = newDevice();
  const upload = uploader(shop.url, async (...request) => {
    if (chance() < 0.2) throw new TypeError('lost on the way');
    const answer = await fetch(...request);
    if (chance() < 0.2) throw new TypeError('the answer was lost');
    return answer;
  });
  const page = newPage({ token: async () => ({ ok: true, value: ann.token }) });
  return { tab: device.openTab({ upload, limits: { bytes: 3000, rows: 60 } }), page };
}

const NOTHING_LOST = () => 1;

const count = async (sql: string) => Number((await shop.backend.query(sql))[0]?.['n']);

test('over a bad network, the real shop stores every product once and the import is finished', async () => {
  console.log(`SEED=${SEED}`);
  const { tab, page } = openTab(seeded(SEED));
  const checked = await checkFile(tab, file);
  expect(checked).toMatchObject({ kind: 'checked', check: { rows: 904, rejected: 0 } });
  expect(await tab.send(ann.id, page)).toMatchObject({
    kind: 'done',
    totals: { processed: 904, inserted: 904, updated: 0, unchanged: 0, rejected: 0 },
  });
  expect(await count('select count(*) as n from public.products')).toBe(904);
  expect(await count('select count(distinct ver) as n from public.products')).toBe(904);
  const [stored] = await shop.backend.query(
    `select state, inserted::int, rejected::int, file_name from public.imports`,
  );
  expect(stored).toEqual({
    state: 'finished',
    inserted: 904,
    rejected: 0,
    file_name: 'products.csv',
  });
  const sizes = await shop.backend.query(
    `select string_agg("Size", '' order by id) as sizes from public.products
     where "SKC" like 'K%' group by "SKC"`,
  );
  expect(new Set(sizes.map((row) => row['sizes'])), 'sizes in the file’s order').toEqual(
    new Set(['SML']),
  );
});

test('importing the same file again changes nothing', async () => {
  const ver = await count('select max(ver) as n from public.products');
  const { tab, page } = openTab(NOTHING_LOST);
  await checkFile(tab, file);
  expect(await tab.send(ann.id, page)).toMatchObject({
    totals: { inserted: 0, updated: 0, unchanged: 904 },
  });
  expect(await count('select max(ver) as n from public.products')).toBe(ver);
});

test('the server’s own sentence answers an import of a single part', async () => {
  const { tab, page } = openTab(NOTHING_LOST);
  await checkFile(tab, fileOf(AWKWARD));
  expect(await tab.send(ann.id, page)).toMatchObject({
    message: 'Import successful! Processed 4 records.',
  });
});

test('the server rejects a bad token, and the import stops when the page gets no other', async () => {
  const { tab } = openTab(NOTHING_LOST);
  await checkFile(tab, fileOf(AWKWARD));
  const page = newPage({ freshToken: async () => SIGN_IN_NEEDED });
  expect(await tab.send(ann.id, page)).toEqual({ kind: 'sign-in' });
});
