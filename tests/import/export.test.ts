/** The export of the catalogue, and that an import of it changes nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProductRow } from '../../src/domain/product.ts';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { readProductCsv } from '../../src/csv/products.ts';
import { templateCsv } from '../../src/import/mutations.ts';
import { checkFile, type Device, deviceWith, newDevice, newPage } from './device.ts';
import type { ShopInMemory } from './shop-in-memory.ts';

/** The file that a device exports. */
async function exportFrom(device: Device): Promise<File> {
  return new File([await device.openTab().exportCatalogue()], 'catalogue.csv');
}

/** Compares stock codes as the database sorts them. */
const compareCodes = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The rows that a device gets in its first load, with ids as the database would give them. */
function rowsOf({ table }: ShopInMemory): ProductRow[] {
  const rows = [...table.values()].map((product, i) => {
    const values = IMPORT_COLUMNS.map((column) => {
      const text = product[column] ?? '';
      if (text === '') return column === 'Size' ? '' : null;
      return column === 'Retail Price' ? Number(text) : text;
    });
    // A ProductRow is an id and the values in the order of IMPORT_COLUMNS.
    return [i + 1, ...values] as unknown as ProductRow;
  });
  return rows.sort(([, a], [, b]) => compareCodes(a, b)); // rows of the same code stay in the order of their ids
}

/** Exports the rows, imports them into an empty shop, and exports that shop. Returns both exports. */
async function roundTrip(rows: readonly ProductRow[]): Promise<readonly [File, File]> {
  const source = await deviceWith(rows);
  const first = await exportFrom(source);
  const target = newDevice();
  const tab = target.openTab();
  const checked = await checkFile(tab, first);
  expect(checked).toMatchObject({ kind: 'checked', check: { rejected: 0, added: rows.length } });
  await tab.send(newPage());
  const secondDevice = await deviceWith(rowsOf(target.shop));
  return [first, await exportFrom(secondDevice)];
}

test('an export that is imported into an empty shop is exported again byte for byte', async () => {
  // Cells that a spreadsheet takes for formulas, or that need quotation marks in a CSV file.
  const text = fc.oneof(
    fc.constantFrom('é\nü', ...`=1+1 +x - @a ＝ ' '=x ''- a,b a"b 한국어`.split(' ')),
    fc.string({ unit: fc.constantFrom('a', '=', "'", '"', ',', ';', 'ß', '€'), maxLength: 6 }),
  );
  // An import stores none where a text is a word for none, such as `-`.
  const textOrNull = text.map((cell) => (cell.trim() === '-' ? null : cell.trim() || null));
  const product = fc.record({
    skc: text.map((cell) => `K${cell.replace(/\s/g, '')}`),
    size: fc.constantFrom('', 'S', 'M', '=L'),
    picture: fc.constantFrom(null, 'https://pictures.example/a.jpg', 'http://x.example/b?c=d,e'),
    texts: fc.tuple(textOrNull, textOrNull, textOrNull, textOrNull, textOrNull, textOrNull),
    cents: fc.option(fc.nat(99_999_999)),
  });
  const products = fc.uniqueArray(product, {
    selector: ({ skc, size }) => `${skc}\n${size}`,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(products, async (list) => {
      const rows = list
        .toSorted((a, b) => compareCodes(a.skc, b.skc))
        .map(({ skc, size, picture, texts, cents }, i): ProductRow => {
          const [category1, category2, category3, category4, material, composition] = texts;
          const price = cents === null ? null : cents / 100;
          const categories = [category1, category2, category3, category4] as const;
          return [i + 1, skc, size, picture, ...categories, price, material, composition];
        });
      const [first, second] = await roundTrip(rows);
      expect(await second.text()).toBe(await first.text());
      expect(second.size).toBe(first.size); // `text` leaves out the byte order mark
    }),
    { numRuns: 40 },
  );
});

test('importing an export into the shop it comes from changes nothing', async () => {
  const unchanged = [7, 'A', 'M', null, 'Shirts', null, null, null, 12.5, '=wool', null] as const;
  const deleted: ProductRow = [8, 'B', '', null, null, null, null, null, null, null, null];
  const changed: ProductRow = [9, 'C', '', null, 'Coats', null, null, null, 0, null, null];
  const before = changed.with(4, 'Old') as unknown as ProductRow; // another text, not another type
  const device = await deviceWith([unchanged, deleted, before], {
    changed: [changed],
    removed: [8],
  });
  const file = await exportFrom(device);
  expect(await file.text()).toBe(
    `${IMPORT_COLUMNS.join(',')}\nA,M,,Shirts,,,,12.50,'=wool,\nC,,,Coats,,,,0.00,,\n`,
  );
  const check = await checkFile(device.openTab(), file, { blankCellsClear: true });
  expect(check).toMatchObject({ check: { added: 0, changed: 0, unchanged: 2, cleared: 0 } });
});

test('an export begins with the byte order mark, by which Excel knows that it is UTF-8', async () => {
  const bytes = new Uint8Array(await (await exportFrom(newDevice())).arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
});

test('a catalogue that cannot be read is not exported as an empty one', async () => {
  const tab = newDevice().openTab({ withCatalogue: async () => false });
  await expect(tab.exportCatalogue()).rejects.toThrow(/can’t read/);
});

test('the template can be imported as it is', () => {
  const read = readProductCsv(templateCsv(), { blankCellsClear: false });
  expect(read).toMatchObject({ ok: true, rejected: [], replaced: 0 });
  expect(read.ok && read.products).toHaveLength(2);
  expect(read.ok && read.layout.columns).not.toContain(null);
});
