/** The import worker with the real function `upload-csv` and database, over a network that loses requests. */
import { expect, test } from 'vitest';
import { importCalls } from '../../src/remote/import-calls.ts';
import { SEED, seeded } from '../random.ts';
import { columnOf } from '../supabase/column.ts';
import { undoAll } from '../supabase/parts.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { checkFile, newDevice, newPage } from './device.ts';
import { AWKWARD, fileOf, productRows, textFile } from './product-files.ts';

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

/** How many products the file has; `AWKWARD` begins with its headings. */
const PRODUCTS = AWKWARD.length - 1 + 3 * GARMENTS;

/** A tab that calls the real function; the network loses a request or an answer where `chance` is below 0.2. */
function openShopTab(chance: () => number) {
  const device = newDevice();
  const lossyFetch: typeof fetch = async (...request) => {
    if (chance() < 0.2) throw new TypeError('lost on the way');
    const answer = await fetch(...request);
    if (chance() < 0.2) throw new TypeError('the answer was lost');
    return answer;
  };
  const calls = importCalls(shop.url, lossyFetch);
  const page = newPage({ token: async () => ({ ok: true, value: ann.token }) });
  return {
    tab: device.openTab({ ...calls, limits: { chars: 3000, rows: 60 } }),
    page,
  };
}

const NOTHING_LOST = () => 1;

/** The number that a statement returns as `value`. */
const numberOf = async (sql: string) => Number((await shop.backend.query(sql))[0]?.['value']);

/** Begins or continues an import of the file, whose tab stops after a few requests. */
async function beginImport(): Promise<void> {
  let chances = 0;
  const { tab, page } = openShopTab(() => ((chances += 1) <= 8 ? 1 : 0));
  await checkFile(tab, file);
  const cancelling = newPage({ ...page, waiting: () => tab.cancel() });
  expect(await tab.send(cancelling)).toEqual({ kind: 'cancelled' });
  expect(await numberOf('select count(*) as value from public.products')).toBeGreaterThan(0);
}

test('over a bad network, from tabs that stop, the real shop stores every product once, and one undo removes them all', async () => {
  console.log(`SEED=${SEED}`);
  for (let stop = 0; stop < 2; stop++) await beginImport();
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
  const imports = await shop.backend.query(
    `select id, state, inserted::int, rejected::int, file_name from public.imports`,
  );
  expect(imports).toEqual([
    {
      id: expect.any(String) as string,
      state: 'finished',
      inserted: PRODUCTS,
      rejected: 0,
      file_name: 'products.csv',
    },
  ]);
  const sizes = await shop.backend.query(
    `select string_agg("Size", '' order by id) as sizes from public.products
     where "SKC" like 'K%' group by "SKC"`,
  );
  expect(new Set(sizes.map((row) => row['sizes'])), 'sizes in the file’s order').toEqual(
    new Set(['SML']),
  );
  const undone = await undoAll(shop, ann.id, String(imports[0]?.['id']));
  expect(undone).toEqual({ removed: PRODUCTS, restored: 0, kept: 0, left: 0 });
});

/** Forgets all imports, and all products. */
const emptyShop = () =>
  shop.backend.query('truncate public.products, public.imports, public.import_changes cascade');

/** The stock codes on sale. */
const onSale = () =>
  columnOf(shop.backend, 'select "SKC" from public.products where not off_sale order by 1');

/** Imports a text over a good network. */
async function importText(text: string, { isRange = false, confirmRange = async () => true } = {}) {
  const { tab, page } = openShopTab(NOTHING_LOST);
  expect(await checkFile(tab, textFile(text))).toMatchObject({ kind: 'checked' });
  const outcome = await tab.send({ ...page, confirmRange }, isRange);
  expect(outcome).toMatchObject({ kind: 'done' });
  return outcome;
}

test('what the whole range lacks goes off sale after a second yes, and rejected rows stay on sale', async () => {
  await emptyShop();
  await importText('SKC,Price\nA,1\nB,1\nC,1\nD,1\n');
  const asked: number[][] = [];
  const importRange = (answer: 'yes' | 'no') =>
    importText('SKC,Price\nA,1\nB,each\n', {
      isRange: true,
      async confirmRange(...numbers: number[]) {
        asked.push(numbers);
        return answer === 'yes';
      },
    });
  expect(await importRange('no')).toMatchObject({ offSale: 0 });
  expect(await onSale()).toEqual(['A', 'B', 'C', 'D']);
  expect(await importRange('yes')).toMatchObject({ offSale: 2 });
  expect(asked).toEqual([
    [2, 4],
    [2, 4],
  ]);
  expect(await onSale()).toEqual(['A', 'B']);
  expect(await importText('SKC,Price\nA,1\nB,1\nC,1\n', { isRange: true })).toMatchObject({
    totals: { inserted: 1, unchanged: 2 },
    offSale: 0,
  });
  expect(await onSale()).toEqual(['A', 'B', 'C']);
});

test('a product that is hidden in an export goes off sale, and back when it is shown again', async () => {
  await emptyShop();
  const exportWith = (status: string) =>
    'Handle,Variant SKU,Variant Price,Option1 Name,Option1 Value,Status\n' +
    `tee,T-S,5,Size,S,${status}\ntee,T-M,5,,M,\ncap,CAP,5,Title,x,active\n`;
  await importText(exportWith('active'));
  expect(await onSale()).toEqual(['CAP', 'T-M', 'T-S']);
  expect(await importText(exportWith('draft'))).toMatchObject({ offSale: 2 });
  expect(await onSale()).toEqual(['CAP']);
  await importText(exportWith('active'));
  expect(await onSale()).toEqual(['CAP', 'T-M', 'T-S']);
});
