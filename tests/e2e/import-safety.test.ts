/** The protection against wrong imports: the question about prices, the undo, and who may import. */
import { beforeEach, expect, test } from 'vitest';
import { expectAccessible } from '../browser/axe.ts';
import { PHONE } from '../browser/browser.ts';
import { chooseFile } from '../browser/csv-file.ts';
import { columnOf } from '../supabase/column.ts';
import { page, shop, visitBeforeEach } from './fixture.ts';
import { checkHeading, openImport, startButton } from './import-page.ts';

visitBeforeEach({ viewport: PHONE });
beforeEach(() => shop.backend.query('truncate public.imports, public.import_changes cascade'));

const button = (name: string) => page.getByRole('button', { name, exact: true });
const text = (words: string) => page.getByText(words, { exact: true });

/** Chooses a file with these rows of stock code, size and price, and waits for its check. */
async function check(name: string, ...rows: readonly string[]): Promise<void> {
  const lines = rows.map((row) => `${row},Coat,/pictures/coat.svg`);
  const header = 'SKC,Size,Retail Price,Category 1,Images link';
  await chooseFile(page, [header, ...lines], name);
  await checkHeading().waitFor();
}

/** Imports a file with these rows. */
async function importFile(name: string, ...rows: readonly string[]): Promise<void> {
  await check(name, ...rows);
  await startButton().click();
  await text(`Import successful! Processed ${rows.length} records.`).waitFor();
  await page.getByText(`${name} by you`).waitFor();
}

/** The prices in the shop, by stock code. */
async function prices(): Promise<Record<string, string>> {
  const rows = await shop.backend.query(
    'select "SKC" as skc, "Retail Price"::text as price from public.products order by 1',
  );
  return Object.fromEntries(rows.map(({ skc, price }) => [String(skc), String(price)]));
}

test('before an import that changes prices fivefold the page asks, with an example; the keyboard is enough', async () => {
  await openImport();
  await importFile('list.csv', 'COAT,M,136.00', 'SOCK,,5.00');
  await check('wrong.csv', 'COAT,M,0.50', 'SOCK,,5.50');
  const warning = '1 of 2 price changes is at least fivefold.';
  await text(warning).waitFor();
  await startButton().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Are these prices right?' });
  await dialog.getByText('COAT, size M: $136.00 → $0.50.').waitFor();
  const described = await dialog.evaluate(
    (element) =>
      document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
  );
  expect(described).toContain(`${warning} For example: COAT, size M: $136.00 → $0.50.`);
  await expectAccessible(page, 'the question about prices');
  const focusedText = () => page.evaluate(() => document.activeElement?.textContent);
  expect(await focusedText()).toBe('Don’t import');
  await page.keyboard.press('Enter');
  await text('Nothing was sent.').waitFor();
  expect(await prices()).toEqual({ COAT: '136.00', SOCK: '5.00' });

  await startButton().focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Tab');
  expect(await focusedText()).toBe('Import these prices');
  await page.keyboard.press('Enter');
  await text('Import successful! Processed 2 records.').waitFor();
  expect(await prices()).toEqual({ COAT: '0.50', SOCK: '5.50' });
});

test('a file of the whole range hides what it lacks, after a second yes, and the undo brings it back', async () => {
  await openImport();
  await importFile('all.csv', 'COAT,M,136.00', 'SOCK,,5.00', 'SCARF,,20.00');
  await check('range.csv', 'COAT,M,136.00', 'SOCK,,each');
  await page.getByLabel('This file has everything we sell').check();
  await button('Start Import').click();
  await page.getByRole('button', { name: /^Import 1 row$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Hide these products?' });
  await dialog.getByText('1 of 3 products in the shop isn’t in the file.').waitFor();
  await expectAccessible(page, 'the question about the range');
  await dialog.getByRole('button', { name: 'Hide 1 product' }).click();
  await page.getByText('1 product was hidden.').first().waitFor();
  const onSale = () =>
    columnOf(shop.backend, 'select "SKC" from public.products where not off_sale order by 1');
  expect(await onSale()).toEqual(['COAT', 'SOCK']);
  await button('Undo').click();
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await page.getByText('Undone: 0 products removed, 1 product restored.').waitFor();
  expect(await onSale()).toEqual(['COAT', 'SCARF', 'SOCK']);
});

test('the last import can be undone, and those before it only looked at', async () => {
  await openImport();
  await importFile('first.csv', 'COAT,M,136.00');
  await importFile('second.csv', 'COAT,M,130.00', 'SOCK,,5.00');
  await page.getByText('Earlier imports (1)').click();
  await text('You can undo only the last import and the last manual edit.').waitFor();
  await expectAccessible(page, 'earlier imports');
  expect(await button('Undo').count()).toBe(1);
  await button('Undo').click();
  const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
  await dialog.getByText('This removes the 1 product the import added').waitFor();
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  expect(await prices()).toEqual({ COAT: '130.00', SOCK: '5.00' });
  await button('Undo').click();
  await dialog.getByRole('button', { name: 'Undo the import' }).click();
  await page.getByText('Undone: 1 product removed, 1 product restored.').waitFor();
  expect(await prices()).toEqual({ COAT: '136.00' });
  await expect.poll(() => button('Undo').count()).toBe(0);
});
