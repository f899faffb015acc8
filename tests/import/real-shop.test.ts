/** The import worker with the real function `upload-csv` and database, over a network that loses requests. */
import { expect, test } from 'vitest';
import { SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { unfinishedAsker } from '../../src/remote/unfinished-import.ts';
import { uploader } from '../../src/remote/upload.ts';
import { SEED, seeded } from '../random.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { checkFile, newDevice, newPage } from './device.ts';
import { AWKWARD, fileOf, productRows } from './product-files.ts';

const shop = await openShopForFile();
const ann = await addShopper(shop, 'ann');

const GARMENTS = 300;
/** Garments in three sizes, some without a price. */
const [, ...garments] = productRows(
  ...Array.from({ length: 3 * GARMENTS }, (_, i) => ({
    SKC: `K${Math.floor(i / 3)}`,
    Size: ['S', 'M', 'L'][i % 3] ?? '',
    'Category 1': 'Mützen',
    'Category 2': 'Wool, felted',
    'Retail Price': i % 7 === 0 ? '' : `${i}.25`,
  })),
);
const file = fileOf([...AWKWARD, ...garments]);

/** `AWKWARD` begins with its headings. */
const AWKWARD_PRODUCTS = AWKWARD.length - 1;
/** How many products the file has. */
const PRODUCTS = AWKWARD_PRODUCTS + 3 * GARMENTS;

/** A tab that calls the real function; the network loses a request or an answer where `chance` is below 0.2. */
function openShopTab(chance: () => number) {
  const device = newDevice();
  const lossyFetch: typeof fetch = async (...request) => {
    if (chance() < 0.2) throw new TypeError('lost on the way');
    const answer = await fetch(...request);
    if (chance() < 0.2) throw new TypeError('the answer was lost');
    return answer;
  };
  const upload = uploader(shop.url, lossyFetch);
  const askUnfinished = unfinishedAsker(shop.url, lossyFetch);
  const page = newPage({ token: async () => ({ ok: true, value: ann.token }) });
  return {
    tab: device.openTab({ upload, askUnfinished, limits: { chars: 3000, rows: 60 } }),
    page,
  };
}

const NOTHING_LOST = () => 1;

/** The number that a statement returns as `value`. */
const numberOf = async (sql: string) => Number((await shop.backend.query(sql))[0]?.['value']);

test('over a bad network, the real shop stores every product once and the import is finished', async () => {
  console.log(`SEED=${SEED}`);
  const { tab, page } = openShopTab(seeded(SEED));
  const checked = await checkFile(tab, file);
  expect(checked).toMatchObject({ kind: 'checked', check: { rows: PRODUCTS, rejected: 0 } });
  expect(await tab.send(page)).toMatchObject({
    kind: 'done',
    totals: { processed: PRODUCTS, inserted: PRODUCTS, updated: 0, unchanged: 0, rejected: 0 },
  });
  expect(await numberOf('select count(*) as value from public.products')).toBe(PRODUCTS);
  // Phones page through the changes by version: no two products may share one.
  expect(await numberOf('select count(distinct ver) as value from public.products')).toBe(PRODUCTS);
  const [stored] = await shop.backend.query(
    `select state, inserted::int, rejected::int, file_name from public.imports`,
  );
  expect(stored).toEqual({
    state: 'finished',
    inserted: PRODUCTS,
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

test('the file that the test above has imported changes nothing when it is imported again', async () => {
  const ver = await numberOf('select max(ver) as value from public.products');
  const { tab, page } = openShopTab(NOTHING_LOST);
  await checkFile(tab, file);
  expect(await tab.send(page)).toMatchObject({
    totals: { inserted: 0, updated: 0, unchanged: PRODUCTS },
  });
  expect(await numberOf('select max(ver) as value from public.products')).toBe(ver);
});

test('an import of a single part ends with the server’s own sentence', async () => {
  const { tab, page } = openShopTab(NOTHING_LOST);
  await checkFile(tab, fileOf(AWKWARD));
  expect(await tab.send(page)).toMatchObject({
    message: `Import successful! Processed ${AWKWARD_PRODUCTS} records.`,
  });
});

test('the server rejects a bad token, and the import stops when the page gets no other', async () => {
  const { tab } = openShopTab(NOTHING_LOST);
  await checkFile(tab, fileOf(AWKWARD));
  const page = newPage({
    token: async () => ({ ok: true, value: 'bad token' }),
    freshToken: async () => SIGN_IN_NEEDED,
  });
  expect(await tab.send(page)).toEqual({ kind: 'sign-in' });
});

/** Forgets all imports, and all products. */
const emptyShop = () =>
  shop.backend.query('truncate public.products, public.imports, public.import_changes cascade');

/** Begins an import of the file, whose tab stops after a few requests. */
async function beginImport(): Promise<void> {
  let chances = 0;
  const { tab, page } = openShopTab(() => ((chances += 1) <= 8 ? 1 : 0));
  await checkFile(tab, file);
  const cancelling = newPage({ ...page, waiting: () => tab.cancel() });
  expect(await tab.send(cancelling)).toEqual({ kind: 'cancelled' });
  expect(await numberOf('select count(*) as value from public.products')).toBeGreaterThan(0);
}

test('the same file, chosen again, continues the import at the real shop, and the undo takes back the whole of it', async () => {
  await emptyShop();
  await beginImport();
  const { tab, page } = openShopTab(NOTHING_LOST);
  await checkFile(tab, file);
  expect(await tab.send(page)).toMatchObject({
    kind: 'done',
    totals: { processed: PRODUCTS, inserted: PRODUCTS, unchanged: 0 },
  });
  expect(page.continued).toHaveLength(1);
  const imports = await shop.backend.query(
    'select state, inserted::int, undo_left::int from public.imports',
  );
  expect(imports).toEqual([{ state: 'finished', inserted: PRODUCTS, undo_left: PRODUCTS }]);
});

test('the same file is an import of its own where somebody has changed the catalogue since', async () => {
  await emptyShop();
  await beginImport();
  await shop.backend.query(`update public.products set "Material" = 'by hand' where id = (
    select min(id) from public.products)`);
  const { tab, page } = openShopTab(NOTHING_LOST);
  await checkFile(tab, file);
  expect(await tab.send(page)).toMatchObject({ kind: 'done', totals: { processed: PRODUCTS } });
  expect(page.continued).toEqual([]);
  expect(await numberOf('select count(*) as value from public.imports')).toBe(2);
});
