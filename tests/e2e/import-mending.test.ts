/** Rejected rows that are mended on the import page, before an import and after it. */
import { beforeEach, expect, test } from 'vitest';
import { expectAccessible } from '../browser/axe.ts';
import { chooseFile } from '../browser/csv-file.ts';
import { context, page, shop, visitBeforeEach } from './fixture.ts';
import { checkHeading, openImport, readCheck, startButton } from './import-page.ts';

visitBeforeEach();
beforeEach(() => shop.backend.query('truncate public.imports, public.import_changes cascade'));

/** The rows on lines 3, 4 and 5 are rejected. */
const ROWS = ['A,M,1,wool', ',M,2,silk', 'C,M,-3,silk', 'D,M,4,silk,too many', 'E,M,5,wool'];

/** Chooses a file with these rows, and waits for its check. */
async function check(...rows: readonly string[]): Promise<void> {
  await chooseFile(page, ['SKC,Size,Retail Price,Material', ...rows]);
  await checkHeading().waitFor();
}

const mendButton = () => page.getByRole('button', { name: 'Fix these rows' });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const table = () => page.getByRole('table', { name: 'Rejected rows' });
const row = (line: number) =>
  table()
    .getByRole('row')
    .filter({ hasText: `${line}` });

async function storedSkcs(): Promise<unknown[]> {
  const rows = await shop.backend.query('select "SKC" as skc from public.products order by 1');
  return rows.map(({ skc }) => skc);
}

test('rejected rows are mended with the keyboard alone, judged as they are typed, and imported in their places', async () => {
  await openImport();
  await check(...ROWS);
  await mendButton().focus();
  await page.keyboard.press('Enter');
  await field('SKC, line 3').focus();
  await expectAccessible(page, 'the rejected rows');
  expect(await field('SKC, line 3').getAttribute('aria-invalid')).toBe('true');
  await page.keyboard.type('B');
  await row(3).getByText('Fixed.', { exact: true }).waitFor();
  expect(await field('SKC, line 3').getAttribute('aria-invalid')).toBe('false');

  await field('Retail Price, line 4').fill('3,x');
  await row(4).getByText('We can’t read this price as one amount.').waitFor();
  await field('Retail Price, line 4').fill('3.50');
  await row(4).getByText('Fixed.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Leave out “too many”' }).focus();
  await page.keyboard.press('Enter');
  await row(5).getByText('Fixed.', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Use 3 fixed rows' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(readCheck).toMatchObject({ New: '5', Rejected: '0' });
  await startButton().click();
  // The page asks because the file has no pictures and no categories.
  await page.getByRole('dialog').getByRole('button', { name: 'Import 5 rows' }).click();
  await page.getByText('Import successful! Processed 5 records.').waitFor();
  expect(await storedSkcs()).toEqual(['A', 'B', 'C', 'D', 'E']);
  await page.getByRole('region', { name: 'Last import' }).getByText('5 rows read: 5 new').waitFor();
});

test('rejected rows can be mended after the signal was lost', async () => {
  await openImport();
  await check(...ROWS);
  await context.setOffline(true);
  await mendButton().click();
  await field('SKC, line 3').fill('B');
  await row(3).getByText('Fixed.', { exact: true }).waitFor();
});
