/** Files of suppliers and other shops on the import page: how columns are matched, and what is imported. */
import { beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/axe.ts';
import { PHONE } from '../browser/browser.ts';
import { chooseFile } from '../browser/csv-file.ts';
import { boxOf, contentWidth } from '../browser/shown.ts';
import { page, shop, visitBeforeEach } from './fixture.ts';
import { checkHeading, openImport, readCheck, startButton } from './import-page.ts';

visitBeforeEach();
beforeEach(() => shop.backend.query('truncate public.imports, public.import_changes cascade'));

const field = (name: string) => page.getByLabel(name, { exact: true });

/** Chooses for a field the column with this heading. */
async function match(name: string, header: string): Promise<void> {
  const option = field(name).locator('option', { hasText: header });
  await field(name).selectOption((await option.textContent()) ?? '');
  await checkHeading().waitFor();
}

/** What the shop sells. */
async function products(): Promise<string[]> {
  const rows = await shop.backend.query(
    `select concat_ws(' ', "SKC", "Size", "Category 1", "Retail Price", "Images link") as text
     from public.products order by "SKC", "Size"`,
  );
  return rows.map(({ text }) => String(text));
}

/** The headings of a file that has none of the shop's, by field. */
const FIELDS = {
  SKC: 'Tuotekoodi',
  Size: 'Koko',
  'Images link': 'Kuva',
  'Category 1': 'Ryhmä',
  'Category 2': 'Tyyli',
  'Category 3': 'Sarja',
  'Category 4': 'Linja',
  'Retail Price': 'Hinta',
  Material: 'Aines',
  'Fabric Composition': 'Koostumus',
} as const;
const ROWS = [
  Object.values(FIELDS),
  ['F-1', 'M', '/f1.jpg', 'Takki', 'Talvi', 'Sini', 'Kaupunki', '12,50', 'Villa', '100 % villa'],
  ['F-1', 'L', '/f1.jpg', 'Takki', 'Talvi', 'Sini', 'Kaupunki', '12,50', 'Villa', '100 % villa'],
];
const STORED = ['F-1 L Takki 12.50 /f1.jpg', 'F-1 M Takki 12.50 /f1.jpg'];

async function expectImported(): Promise<void> {
  await page.getByText(`Import successful! Processed ${STORED.length} records.`).waitFor();
  expect(await products()).toEqual(STORED);
}

test('a file with ten unknown headings is matched with the mouse, and the next such file needs no question', async () => {
  const lines = ROWS.map((row) => row.join(';'));
  await openImport();
  await chooseFile(page, lines);
  await page.getByText('Choose the column for “SKC” below.').waitFor();
  expect(await startButton().isDisabled()).toBe(true);
  await startButton().press('Enter');
  await page.getByText('Choose the columns first.').waitFor();
  await page.getByText(`Left out: ${Object.keys(FIELDS).length} columns`).click();
  await page.getByRole('definition').first().waitFor();
  await expectAccessible(page, 'the question');
  for (const [name, header] of Object.entries(FIELDS)) await match(name, header);
  await startButton().click();
  await expectImported();

  // The same columns in another order.
  const reordered = ROWS.map((row) => row.toReversed().join(';'));
  await chooseFile(page, reordered);
  const unchanged = String(STORED.length);
  expect(await readCheck()).toMatchObject({ New: '0', Changed: '0', Unchanged: unchanged });
  await page.getByText('We matched the columns as you did on').waitFor();
  expect(await page.getByText('Choose the column for').count()).toBe(0);
  await expectAccessible(page, 'a remembered match');
  await page.getByRole('button', { name: 'Match again' }).click();
  await page.getByText('Choose the column for “SKC” below.').waitFor();
});

test('the row with the headings can be picked, and is remembered too', async () => {
  await openImport();
  const lines = ['SKU list,of,spring,', 'Ref,What,Cost,Shot', 'R-1,Coat,80,/r.jpg'];
  await chooseFile(page, lines);
  await checkHeading().waitFor();
  await page.locator('summary', { hasText: /^Columns/ }).click();
  await field('Heading row').selectOption('Line 2: Ref, What, Cost, Shot');
  await page.getByRole('cell', { name: 'R-1' }).waitFor();
  await field('Retail Price').selectOption('Cost (80)');
  await page.getByRole('cell', { name: '80.00' }).waitFor();
  await chooseFile(page, [...lines, 'R-2,Cape,70,/q.jpg']);
  await page.getByText('as you did on').waitFor();
  await page.getByRole('cell', { name: '70.00' }).waitFor();
});

describe('on a phone', () => {
  visitBeforeEach({ viewport: PHONE });

  const HEADINGS = Array.from(
    { length: 60 },
    (_, i) => `Meta:_a_heading_without_any_space_number_${i}_of_sixty`,
  );

  test('the first screen after the check has the counts and the button to start', async () => {
    await openImport();
    const rejected = Array.from({ length: 9 }, (_, i) => `,,N${i}`);
    const lines = [`SKU,Price,Name,${HEADINGS.join(',')}`, 'A-1,5,Tee', ...rejected];
    await chooseFile(page, lines, 'export-of-a-large-shop-with-a-long-name.csv');
    await checkHeading().waitFor();
    const rejectedCount = page.getByText('Rejected', { exact: true });
    for (const part of [checkHeading(), rejectedCount, startButton()]) {
      expect((await boxOf(part)).bottom).toBeLessThanOrEqual(PHONE.height);
    }
    // The sixty headings, and `Name`.
    expect(await page.getByText('Left out: 61 columns').isVisible()).toBe(false);
    expect(await field('Separator').isVisible()).toBe(false);
  });

  test('nothing is wider than 320 pixels, however long the headings are', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await openImport();
    const headings = HEADINGS.join(',');
    await chooseFile(page, [`SKU,Price,Name,${headings}`, `A-1,5,Tee,${headings}`]);
    await checkHeading().waitFor();
    await page.locator('summary', { hasText: /^Columns/ }).click();
    await page.getByText('Left out: 61 columns').click();
    await page.getByText('How the file is read').click();
    expect(await contentWidth(page)).toBe(320);
  });
});

test('a file that would make empty cards is asked about, with its first cards as the shop would show them', async () => {
  await openImport();
  const lines = ['A-1,red', 'A-2,blue', 'A-3,blue', 'A-4,blue', 'A-4,green', 'Total,4'];
  await chooseFile(page, ['SKU,Colour', ...lines]);
  expect(await readCheck()).toMatchObject({ New: '4', Replaced: '1', Skipped: '1' });
  await startButton().click();
  const dialog = page.getByRole('dialog', { name: 'Import this as is?' });
  await dialog.getByText('1 of 5 rows would be replaced by a later row').waitFor();
  await dialog.getByText('4 new products have no price, category, or picture.').waitFor();
  const cards = dialog.locator('article');
  expect(await cards.count()).toBe(2);
  expect(await cards.first().textContent()).toContain('Untitled');
  expect(await cards.first().textContent()).toContain('N/A');
  await expectAccessible(page, 'the question about empty cards');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Don’t import');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent), 'no card is reached').toBe(
    'Import 4 rows',
  );
  await page.keyboard.press('Escape');
  await page.getByText('Nothing was sent.').waitFor();
  expect(await products()).toEqual([]);
  await startButton().click();
  await dialog.getByRole('button', { name: 'Import 4 rows' }).click();
  await page.getByText('Import successful! Processed 4 records.').waitFor();
  expect(await products()).toHaveLength(4);
});
