/** The export of the catalogue, and that an import of it changes nothing. */
import { expect, test } from 'vitest';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { readProductCsv } from '../../src/csv/products.ts';
import { templateCsv } from '../../src/import/mutations.ts';
import { productRow } from '../domain/product-row.ts';
import { checkFile, type Device, deviceWith, newDevice } from './device.ts';

/** The file that a device exports. */
async function exportFrom(device: Device): Promise<File> {
  return new File([await device.openTab().exportCatalogue()], 'catalogue.csv');
}

test('importing an export into the shop it comes from changes nothing', async () => {
  const shirt = { Size: 'M', 'Category 1': 'Shirts', 'Retail Price': 12.5, Material: '=wool' };
  const device = await deviceWith(
    [productRow(7, 'A', shirt), productRow(8, 'B'), productRow(9, 'C', { 'Category 1': 'Old' })],
    { changed: [productRow(9, 'C', { 'Category 1': 'Coats', 'Retail Price': 0 })], removed: [8] },
  );
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
