import { afterAll, beforeAll, expect, test } from 'vitest';
import { SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { uploader } from '../../src/remote/upload.ts';
import { SEED, seeded } from '../random.ts';
import { addShopper, type Shopper } from '../supabase/shoppers.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { newDevice, newPage } from './device.ts';
import { AWKWARD, fileOf, FIND_OUT } from './product-files.ts';

let shop: TestShop;
let ann: Shopper;

beforeAll(async () => {
  shop = await openTestShop();
  ann = await addShopper(shop, 'ann');
});
afterAll(() => shop.close());

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

/** The real function, over a line that loses requests and answers. */
function deviceOn(chance: () => number) {
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

const count = async (sql: string) => Number((await shop.backend.query(sql))[0]?.['n']);

test('over a bad line, the real shop has every product once, and the import is finished', async () => {
  console.log(`SEED=${SEED}`);
  const { tab, page } = deviceOn(seeded(SEED));
  const checked = await tab.check(file, FIND_OUT, () => undefined);
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

test('the same file again changes nothing', async () => {
  const ver = await count('select max(ver) as n from public.products');
  const { tab, page } = deviceOn(() => 1);
  await tab.check(file, FIND_OUT, () => undefined);
  expect(await tab.send(ann.id, page)).toMatchObject({
    totals: { inserted: 0, updated: 0, unchanged: 904 },
  });
  expect(await count('select max(ver) as n from public.products')).toBe(ver);
});

test('a single part is answered with the shop’s own sentence', async () => {
  const { tab, page } = deviceOn(() => 1);
  await tab.check(fileOf(AWKWARD), FIND_OUT, () => undefined);
  expect(await tab.send(ann.id, page)).toMatchObject({
    message: 'Import successful! Processed 4 records.',
  });
});

test('the shop rejects a bad token, and another one is asked for', async () => {
  const { tab } = deviceOn(() => 1);
  await tab.check(fileOf(AWKWARD), FIND_OUT, () => undefined);
  const page = newPage({ freshToken: async () => SIGN_IN_NEEDED });
  expect(await tab.send(ann.id, page)).toEqual({ kind: 'sign-in' });
});
