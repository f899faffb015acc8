import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Download, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { axeFindings, LOOKS } from '../browser/axe.ts';
import { fewOf } from '../share.ts';
import { complaintsOf, DESKTOP, PHONE, waitForWorker } from '../browser/browser.ts';
import { type Line, openLine } from '../browser/proxy.ts';
import { SITE_FOLDER } from '../build-once.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { cleanBrowser, cleanShop, workerFor } from './fixture.ts';

const PASSWORD = 'loom-and-thread';
const HEADER = 'SKC,Size,Images link,Category 1,Category 2,Retail Price,Material';
/** Two parts, so that an import has a middle. */
const MANY = 16_000;
const SOME = /([1-9][\d,]*) of 16,000 rows stored/;

let shop: TestShop;
let line: Line;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let email: string;
let importers = 0;

beforeAll(async () => {
  ({ shop } = await cleanShop());
  browser = await cleanBrowser();
});
beforeEach(async ({ task }) => {
  await shop.backend.query('truncate public.products');
  importers += 1;
  email = `importer-${importers}@weft.test`;
  await shop.backend.addAccount({ email, password: PASSWORD });
  line = await openLine(shop.url);
  context = await browser.newContext({ viewport: DESKTOP, ...workerFor(task) });
  page = await context.newPage();
  complaints = complaintsOf(page);
});
afterEach(async () => {
  expect(complaints).toEqual([]);
  await Promise.all(browser.contexts().map((each) => each.close()));
  await line.close();
});

async function openImport(on = page, as = email, url = line.url): Promise<void> {
  await on.goto(`${url}/login?next=/admin/import`);
  await on.getByLabel('Email').fill(as);
  await on.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await on.keyboard.press('Enter');
  await on.getByRole('heading', { name: 'Product Data Import' }).waitFor();
  await on.getByRole('heading', { name: 'Last import' }).waitFor();
}

const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });
const start = (on = page) => on.getByRole('button', { name: /^(Start Import|Importing\.\.\.)$/ });
const text = (words: string, on = page) => on.getByText(words, { exact: true });
const checked = (on = page) => on.getByRole('heading', { name: 'What this file would do' });
const panel = (on = page) => on.getByRole('region', { name: 'Import', exact: true });

function fileOf(csv: string | Buffer, name = 'products.csv') {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(csv) };
}

async function choose(csv: string | Buffer, on = page, name?: string): Promise<void> {
  await on.locator('input[type=file]').last().setInputFiles(fileOf(csv, name));
}

function rows(count: number, price = '10.00', from = 0): string[] {
  return Array.from({ length: count }, (_, i) => {
    const id = String(from + i).padStart(6, '0');
    return `${id},M,https://pictures.example/${id}.jpg,Tee,Women,${price},Organic cotton jersey`;
  });
}

const csvOf = (lines: readonly string[]) => [HEADER, ...lines, ''].join('\n');

/** The figures of the check, by name. */
async function figures(on = page): Promise<Record<string, string>> {
  await checked(on).waitFor();
  const cells = on.getByRole('region', { name: 'Check' }).locator('dl > div');
  const pairs = await cells.evaluateAll((divs) =>
    divs.map((div) => [
      div.querySelector('dt')?.textContent ?? '',
      div.querySelector('dd')?.textContent ?? '',
    ]),
  );
  return Object.fromEntries(pairs) as Record<string, string>;
}

async function stored(): Promise<number> {
  const [row] = await shop.backend.query('select count(*)::int as n from public.products');
  return Number(row?.['n']);
}

async function savedText(download: Download): Promise<string> {
  return readFileSync(await download.path(), 'utf8');
}

/** Holds parts on their way to the shop, from the `from`th on, until told. */
async function holdParts(from = 0): Promise<{ letGo: () => void; held: () => number }> {
  let held = 0;
  let seen = 0;
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((done) => (letGo = done));
  await context.route('**/upload-csv', async (route) => {
    seen += 1;
    if (seen > from) {
      held += 1;
      await gate;
    }
    await route.continue().catch(() => undefined);
  });
  return { letGo, held: () => held };
}

/** Everything that the status line says from now on, in order. */
async function hearStatus(): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    new MutationObserver(() => {
      const status = document.querySelector('section[aria-label="Import"] [data-tone]:not(:empty)');
      const words = status?.textContent ?? '';
      if (words !== '' && heard.at(-1) !== words) heard.push(words);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
}

describe('who may import', () => {
  test('nobody signed in is told Access Denied, led to the login, and back after it', async () => {
    await page.goto(`${line.url}/admin/import`);
    await text('Access Denied. Redirecting to login...').waitFor();
    expect(await page.title()).toBe('Product Data Import · Weft');
    expect(await start().count()).toBe(0);
    await page.waitForURL('**/login?next=%2Fadmin%2Fimport', { timeout: 5000 });
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await text('Any signed-in user may import.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/import');
  });

  test('where a role is needed the page says so, and lets only its accounts begin', async () => {
    const strict = await openTestShop({
      siteFolder: SITE_FOLDER,
      environment: { IMPORT_ROLE: 'staff' },
    });
    await strict.backend.addAccount({ email, password: PASSWORD });
    await openImport(page, email, strict.url);
    const rule = 'Only accounts with the role staff may import.';
    await text(`${rule} Yours does not have it.`).waitFor();
    expect(await page.locator('input[type=file]').isDisabled()).toBe(true);
    expect(await start().isDisabled()).toBe(true);
    await strict.backend.query(
      `update auth.users set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || '{"role":"staff"}'
       where email = $1`,
      [email],
    );
    await page.reload();
    await text(rule).waitFor();
    await choose(csvOf(rows(1)));
    await checked().waitFor();
    await start().click();
    await text('Import successful! Processed 1 records.').waitFor();
    await page.getByText('products.csv by you').waitFor();
    await strict.close();
  });

  test(
    'a shopper who is known opens the page without a signal, and the check works',
    { tags: 'worker' },
    async () => {
      await openImport();
      await waitForWorker(page);
      line.down();
      await context.setOffline(true);
      await page.reload();
      await page.getByText('Sending needs a connection, and there is none now.').waitFor();
      await choose(csvOf(rows(3)));
      expect(await figures()).toMatchObject({ Rows: '3', New: '3' });
      await context.setOffline(false);
      line.up();
      await expect.poll(() => page.getByText('Sending needs a connection').count()).toBe(0);
    },
  );
});

describe('before anything is sent', () => {
  test('without a file Start Import is disabled, and says what is missing when it is pressed', async () => {
    await openImport();
    expect(await start().textContent()).toBe('Start Import');
    expect(await start().isDisabled()).toBe(true);
    expect(await page.locator('input[type=file]').getAttribute('accept')).toBe('.csv');
    await start().focus();
    await page.keyboard.press('Enter');
    await text('Please select a CSV file first.').waitFor();
    await choose(csvOf(rows(1)));
    await expect.poll(() => text('Please select a CSV file first.').count()).toBe(0);
    expect(await start().isDisabled()).toBe(false);
  });

  test('rules and limits can be read, and a template and the catalogue taken along', async () => {
    await openImport();
    await page.getByText('What the file may hold').click();
    await page.getByText('A CSV file of up to 512 MB, 2,000,000 rows and 200 columns.').waitFor();
    const [template] = await Promise.all([
      page.waitForEvent('download'),
      button('Download a template').click(),
    ]);
    expect(await savedText(template)).toContain(
      'SKC,Size,Images link,Category 1,Category 2,Category 3,Category 4,Retail Price,Material,Fabric Composition',
    );
    await choose(csvOf([...rows(2), '"\'=1+1",M,,,,5,']));
    await checked().waitFor();
    await start().click();
    await text('Import successful! Processed 3 records.').waitFor();
    const other = await context.newPage();
    await other.goto(line.url);
    await other.getByText('3 products').waitFor();
    const [catalogue] = await Promise.all([
      page.waitForEvent('download'),
      button('Export the catalogue').click(),
    ]);
    const saved = await savedText(catalogue);
    expect(saved).toContain("'=1+1,M");
    await choose(saved);
    expect(await figures()).toMatchObject({ Rows: '3', New: '0', Changed: '0', Unchanged: '3' });
  });

  test('the check counts, names each problem with its first line, and shows what will be stored', async () => {
    await openImport();
    await choose(
      [
        'Price list autumn;;;;',
        'Stock code;Size;Colour;Price;Category 1',
        '000123;M;red;12,50;Tee',
        ';M;red;12,50;Tee',
        'B;M;red;abc;Tee',
        '000123;M;red;1.250,00;Tee',
        '',
      ].join('\r\n'),
    );
    expect(await figures()).toEqual({
      Rows: '4',
      New: '1',
      Changed: '0',
      Unchanged: '0',
      Replaced: '1',
      Refused: '2',
    });
    await page.getByText('Ignored column: “Colour”').waitFor();
    const problems = page.getByRole('region', { name: 'Check' }).getByRole('listitem');
    const missing = problems.filter({ hasText: 'First on line 4' });
    expect(await missing.textContent()).toContain('column “Stock code”');
    expect(await problems.filter({ hasText: 'First on line 5' }).textContent()).toContain('abc');
    const again = problems.filter({ hasText: 'First on line 3' });
    expect(await again.textContent()).toMatch(/^1 row replaced.*replaced by line 6$/);
    const preview = page.getByRole('table');
    expect(await preview.getByRole('columnheader').allTextContents()).toEqual([
      'SKCfrom “Stock code”',
      'Size',
      'Category 1',
      'Retail Pricefrom “Price”',
    ]);
    expect(await preview.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual([
      '000123',
      'M',
      'Tee',
      '12.50',
    ]);
    expect(await page.getByLabel('Separator').locator('option').first().textContent()).toBe(
      'Found: Semicolon',
    );
    expect(await stored()).toBe(0);
  });

  test('an encoding can be chosen by looking at the first lines', async () => {
    await openImport();
    const greek = Buffer.from('SKC,Material\nA,Seide \x96 gr\xfcn\n', 'latin1');
    await choose(greek);
    await checked().waitFor();
    await page.getByLabel('Encoding').selectOption('windows-1252');
    await page.getByText('The first lines as Western European (Windows-1252)').click();
    await page.getByLabel('The first lines of the file').getByText('Seide – grün').waitFor();
    await page.getByRole('cell', { name: 'Seide – grün' }).waitFor();
    await page.getByLabel('Encoding').selectOption('windows-1251');
    await page.getByRole('cell', { name: 'Seide – grьn' }).waitFor();
  });

  test('two columns for one field are asked about, and the answer can be changed', async () => {
    await openImport();
    await choose('SKC,Price,Retail price\nA,10,20\n');
    await page.getByText('Several columns of the file could mean the same thing.').waitFor();
    await start().click();
    await text('Say which columns are meant first.').waitFor();
    await page.getByLabel('Which column is Retail Price?').selectOption({ index: 2 });
    await page.getByRole('cell', { name: '20.00' }).waitFor();
    await page.getByLabel('Which column is Retail Price?').selectOption({ index: 0 });
    await page.getByRole('cell', { name: '10.00' }).waitFor();
  });

  test('blank cells clear only when that is switched on, and the count is shown', async () => {
    await openImport();
    await choose(csvOf(rows(2)));
    await checked().waitFor();
    await start().click();
    await text('Import successful! Processed 2 records.').waitFor();
    await choose('SKC,Size,Material\n000000,M,\n000001,M,\n');
    expect(await figures()).toMatchObject({ Changed: '0', Unchanged: '2' });
    await page.getByLabel('Blank cells clear what is stored').check();
    await page.getByText('2 stored values would be emptied.').waitFor();
    expect(await figures()).toMatchObject({ Changed: '2' });
    await start().click();
    await text('Import successful! Processed 2 records.').waitFor();
    const [row] = await shop.backend.query(
      'select count("Material")::int as n from public.products',
    );
    expect(row?.['n']).toBe(0);
  });

  test('what is no CSV file is named', async () => {
    await openImport();
    await choose(
      Buffer.from('PK\x03\x04\x14\x00\x06\x00[Content_Types].xml xl/workbook.xml'),
      page,
      'prices.csv',
    );
    const fault = page.getByRole('alert').filter({ hasText: 'This file cannot be read' });
    await fault.waitFor();
    expect(await fault.textContent()).toContain('Excel');
    await choose('SKC,Material\nA,wool\nB,"never closed\nC,silk\n');
    await expect.poll(() => fault.textContent()).toContain('Line 3');
  });

  test('many refused rows, or any with all or nothing, are asked about before anything is written', async () => {
    await openImport();
    await choose(csvOf([...rows(3), ',M,,,,5,', ',L,,,,5,']));
    await checked().waitFor();
    await start().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Of the first 5 rows, 2 rows cannot be imported.').waitFor();
    await page.keyboard.press('Escape');
    await text('Nothing was sent.').waitFor();
    expect(await stored()).toBe(0);

    await choose(csvOf([...rows(9), ',M,,,,5,']));
    await checked().waitFor();
    await page.getByLabel('All or nothing').check();
    await start().click();
    await dialog.getByRole('button', { name: 'Import the other 9 rows' }).click();
    await text('Import successful! Processed 9 records.').waitFor();
    expect(await stored()).toBe(9);
  });
});

describe('an import', () => {
  test('of many rows is told truly while it goes in, another window follows, and again there is nothing new', async () => {
    await openImport();
    const window2 = await browser.newContext({ viewport: PHONE, ...workerFor() });
    const other = await window2.newPage();
    await other.goto(line.url);
    await other.getByText('No products found for All.').waitFor();
    const heard = await hearStatus();
    const parts = await holdParts(1);
    await choose(csvOf(rows(MANY)));
    expect(await figures()).toMatchObject({ Rows: '16,000', New: '16,000', Refused: '0' });
    await start().click();
    await expect.poll(() => start().textContent()).toBe('Importing...');
    expect(await start().isDisabled()).toBe(true);
    await expect.poll(() => panel().textContent()).toMatch(SOME);
    const [, told = ''] = SOME.exec((await panel().textContent()) ?? '') ?? [];
    expect(Number(told.replace(',', ''))).toBe(await stored());
    expect(await panel().getByRole('progressbar').getAttribute('value')).toBe(
      String(await stored()),
    );
    await other.evaluate(() => window.dispatchEvent(new Event('online')));
    await other.getByText(`${told} products`).waitFor();
    parts.letGo();
    await text('Import successful! Processed 16000 records.').waitFor();
    expect(await heard()).toEqual([
      'Reading file...',
      'Uploading to serverless function...',
      'Import successful! Processed 16000 records.',
    ]);
    expect(await panel().textContent()).toContain('16,000 new, 0 changed, 0 unchanged.');
    expect(await stored()).toBe(MANY);
    await other.evaluate(() => window.dispatchEvent(new Event('online')));
    await other.getByText('16,000 products').waitFor({ timeout: 30_000 });
    await page.getByText('products.csv by you').waitFor();

    await choose(csvOf(rows(MANY)));
    await expect.poll(() => text('Import successful! Processed 16000 records.').count()).toBe(0);
    expect(await figures()).toMatchObject({ New: '0', Changed: '0', Unchanged: '16,000' });
    await start().click();
    await text('Import successful! Processed 16000 records.').waitFor();
    expect(await panel().textContent()).toContain('0 new, 0 changed, 16,000 unchanged.');
  });

  test('is known to the next check, however late its products come back to this device', async () => {
    await openImport();
    await choose(csvOf(rows(3)));
    await checked().waitFor();
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((done) => (letGo = done));
    await context.route('**/rpc/catalogue_changes', async (route) => {
      await gate;
      await route.continue();
    });
    await start().click();
    await text('Import successful! Processed 3 records.').waitFor();
    await choose(csvOf(rows(3)));
    await text('Getting the latest products of the shop first').waitFor();
    letGo();
    expect(await figures()).toMatchObject({ New: '0', Changed: '0', Unchanged: '3' });
  });

  test('may be started while the file is still being checked', async () => {
    await openImport();
    await choose(csvOf(rows(2000)));
    await start().click();
    await text('Import successful! Processed 2000 records.').waitFor();
    expect(await stored()).toBe(2000);
  });

  test('leaves refused rows out; their report, mended, goes in', async () => {
    await openImport();
    await choose(csvOf([...rows(8), 'X-1,M,,Tee,Women,twelve,', 'X-2,"L,XL",,Tee,Women,-3,wool']));
    await checked().waitFor();
    await start().click();
    await text('Import successful! Processed 8 records.').waitFor();
    expect(await panel().textContent()).toContain('2 rows refused.');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button('Download the refused rows').click(),
    ]);
    const report = await savedText(download);
    expect(report.split('\n').slice(1, 3).join('\n')).toMatch(/X-1.*10.*Retail Price[^]*X-2.*11/);
    await choose(report.replace('twelve', '12').replace("'-3", '3'), page, 'mended.csv');
    expect(await figures()).toMatchObject({ Rows: '2', New: '2', Refused: '0' });
    await start().click();
    await text('Import successful! Processed 2 records.').waitFor();
    const [row] = await shop.backend.query(
      `select "Size" as size, "Retail Price"::text as price from public.products where "SKC" = 'X-2'`,
    );
    expect(row).toEqual({ size: 'L,XL', price: '3.00' });
  });

  test('can be cancelled, and resumed to the same end', async () => {
    await openImport();
    const parts = await holdParts(1);
    await choose(csvOf(rows(MANY)));
    await checked().waitFor();
    await start().click();
    await expect.poll(() => stored()).toBeGreaterThan(0);
    await expect.poll(() => panel().textContent()).toMatch(SOME);
    await button('Cancel').click();
    await text('Cancelled. What was sent is stored; the rest can be sent later.').waitFor();
    parts.letGo();
    const offer = page.getByRole('region', { name: 'An import is not finished' });
    expect(await offer.textContent()).toMatch(
      /products\.csv.*[1-9][\d,]* of 16,000 rows are stored/,
    );
    await offer.getByRole('button', { name: 'Resume' }).click();
    await text('Import successful! Processed 16000 records.').waitFor({ timeout: 30_000 });
    expect(await panel().textContent()).toContain('16,000 new');
    expect(await stored()).toBe(MANY);
    expect(await offer.count()).toBe(0);
  });

  test('goes on after its tab was killed, or is forgotten', async () => {
    await openImport();
    const parts = await holdParts(1);
    await choose(csvOf([...rows(MANY), ',M,,,,5,Silk']));
    await checked().waitFor();
    await start().click();
    await expect.poll(() => panel().textContent()).toMatch(SOME);
    await page.close();
    parts.letGo();
    page = await context.newPage();
    await page.goto(`${line.url}/admin/import`);
    await button('Resume').click();
    await text('Import successful! Processed 16000 records.').waitFor({ timeout: 30_000 });
    expect(await stored()).toBe(MANY);
    expect(await panel().textContent()).toContain('1 row refused.');
    const [report] = await Promise.all([
      page.waitForEvent('download'),
      button('Download the refused rows').click(),
    ]);
    expect(await savedText(report)).toContain('Silk');

    await context.unroute('**/upload-csv');
    await holdParts(1);
    await choose(csvOf(rows(MANY, '11.00')));
    await checked().waitFor();
    await start().click();
    await expect.poll(() => panel().textContent()).toMatch(SOME);
    await page.close();
    page = await context.newPage();
    await page.goto(`${line.url}/admin/import`);
    await button('Forget').click();
    await expect.poll(() => button('Resume').count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Last import' }).waitFor();
    await page.waitForTimeout(500);
    expect(await button('Resume').count()).toBe(0);
  });

  test('waits for the connection and goes on by itself', async () => {
    await openImport();
    const parts = await holdParts(1);
    await choose(csvOf(rows(MANY)));
    await checked().waitFor();
    await start().click();
    await expect.poll(() => parts.held()).toBeGreaterThan(0);
    line.down();
    parts.letGo();
    await text('Waiting for a connection. The import goes on by itself.').waitFor();
    line.up();
    await text('Import successful! Processed 16000 records.').waitFor({ timeout: 40_000 });
    expect(await stored()).toBe(MANY);
  });

  test('goes on while one looks around the shop, and is told there when it has ended', async () => {
    await openImport();
    const parts = await holdParts(1);
    await choose(csvOf(rows(MANY)));
    await checked().waitFor();
    await start().click();
    await expect.poll(() => parts.held()).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Cart' }).click();
    await page.getByRole('heading', { name: 'Shopping Cart' }).waitFor();
    await page.goBack();
    await expect.poll(() => start().textContent()).toBe('Importing...');
    await page.getByRole('link', { name: 'Cart' }).click();
    parts.letGo();
    await text('Import successful! Processed 16000 records.').waitFor({ timeout: 30_000 });
    expect(new URL(page.url()).pathname).toBe('/cart');
  });

  test('asks before its tab is closed, and not when there is none', async () => {
    await openImport();
    const parts = await holdParts();
    await choose(csvOf(rows(3)));
    await checked().waitFor();
    await start().click();
    await expect.poll(() => parts.held()).toBe(1);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(['beforeunload']);
    parts.letGo();
    await text('Import successful! Processed 3 records.').waitFor();
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
  });

  test('is no unfinished one to a window that was open before it began', async () => {
    const second = await context.newPage();
    await openImport();
    await second.goto(`${line.url}/admin/import`);
    await second.getByRole('heading', { name: 'Last import' }).waitFor();
    await second.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      const look = () => seen.push(document.body.textContent ?? '');
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    });
    const parts = await holdParts(1);
    await choose(csvOf(rows(MANY)));
    await checked().waitFor();
    await start().click();
    await second.getByText('Another window of this browser is importing.').waitFor();
    await button('Cancel').click();
    await text('Cancelled. What was sent is stored; the rest can be sent later.').waitFor();
    const seen = await second.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
    const [before] = seen.join(' ').split('Another window of this browser is importing.');
    expect(before).not.toContain('An import is not finished');
    parts.letGo();
    // It is left now, and either window may go on with it.
    await button('Resume', second).click();
    await text('Import successful! Processed 16000 records.', second).waitFor({ timeout: 30_000 });
    await expect.poll(() => button('Resume').count()).toBe(0);
    expect(await stored()).toBe(MANY);
  });

  test('of two windows of one browser goes on in one only', async () => {
    await openImport();
    const parts = await holdParts();
    await choose(csvOf(rows(3)));
    await checked().waitFor();
    await start().click();
    await expect.poll(() => parts.held()).toBe(1);
    const second = await context.newPage();
    await second.goto(`${line.url}/admin/import`);
    await second.getByText('Another window of this browser is importing.').waitFor();
    expect(await button('Resume', second).count()).toBe(0);
    await choose(csvOf(rows(5)), second);
    await checked(second).waitFor();
    await start(second).click();
    await second
      .getByText('Another window of this browser is importing. Wait until it has finished.')
      .waitFor();
    parts.letGo();
    await text('Import successful! Processed 3 records.').waitFor();
    await expect
      .poll(() => text('Another window of this browser is importing.', second).count())
      .toBe(0);
    await start(second).click();
    await text('Import successful! Processed 5 records.', second).waitFor();
  });

  test('can be undone: what it added goes, what it changed comes back', async () => {
    await openImport();
    await choose(csvOf(rows(3)));
    await checked().waitFor();
    await start().click();
    await text('Import successful! Processed 3 records.').waitFor();
    await choose(csvOf([...rows(1, '12.00'), ...rows(2, '5.00', 100)]));
    expect(await figures()).toMatchObject({ New: '2', Changed: '1' });
    await start().click();
    await text('2 new, 1 changed, 0 unchanged. 0 rows refused.').waitFor();
    await button('Undo').click();
    const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
    await dialog.getByText('The 2 products it added are removed').waitFor();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    expect(await stored()).toBe(5);
    await button('Undo').click();
    await dialog.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('Undone: 2 products removed, 1 product restored.').waitFor();
    expect(await stored()).toBe(3);
    const [row] = await shop.backend.query(
      `select "Retail Price"::text as price from public.products where "SKC" = '000000'`,
    );
    expect(row?.['price']).toBe('10.00');
    await choose(csvOf([...rows(3), ...rows(2, '5.00', 100)]));
    expect(await figures()).toMatchObject({ New: '2', Changed: '0', Unchanged: '3' });
  });
});

describe('what goes wrong', () => {
  /** What the console got; the page says that it is there. */
  const printed = () => complaints.splice(0).join('\n');

  test('a refusal is told in the shop’s own words, and without any as Server error', async () => {
    await openImport();
    await context.route('**/upload-csv', (route) =>
      route.fulfill({ status: 400, json: { error: 'No loom today.' } }),
    );
    await choose(csvOf(rows(2)));
    await checked().waitFor();
    await start().click();
    const alert = panel().getByRole('alert');
    await text('Import failed: No loom today.').waitFor();
    expect(await alert.textContent()).toContain('Check the console');
    expect(printed()).toContain('Import failed: No loom today.');
    await context.unroute('**/upload-csv');
    await context.route('**/upload-csv', (route) => route.fulfill({ status: 400, json: {} }));
    await start().click();
    await text('Import failed: Server error').waitFor();
    expect(printed()).toContain('Server error');
    await context.unroute('**/upload-csv');
    await choose(csvOf(rows(2)));
    await expect.poll(() => alert.textContent()).toBe('');
    await start().click();
    await text('Import successful! Processed 2 records.').waitFor();
  });

  test('the shop’s own message is shown when it has imported', async () => {
    await openImport();
    await context.route('**/upload-csv', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: { ...answer, message: 'Two tees are in.' } });
    });
    await choose(csvOf(rows(2)));
    await checked().waitFor();
    await start().click();
    await text('Two tees are in.').waitFor();
  });

  test('a file that cannot be imported is a client error, with the reason', async () => {
    await openImport();
    await choose('Name,Colour\nTee,red\n');
    await page.getByRole('heading', { name: 'This file cannot be read' }).waitFor();
    await start().click();
    await page.getByText(/^Import failed due to client error: .*SKC/).waitFor();
    expect(await panel().getByRole('alert').textContent()).toContain('Check the console');
    expect(printed()).toContain('Import failed due to client error');
  });

  test('a file that is changed after the check is not sent by halves', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'weft-csv-')), 'products.csv');
    writeFileSync(path, csvOf(rows(5)));
    await openImport();
    await page.locator('input[type=file]').last().setInputFiles(path);
    await checked().waitFor();
    writeFileSync(path, csvOf(rows(50)));
    await start().click();
    await page.getByText(/^Import failed due to client error: /).waitFor();
    expect(printed()).toContain('Import failed due to client error');
    expect(await stored()).toBe(0);
  });

  test('a session that is over says so; after signing in the import is resumed', async () => {
    await openImport();
    await choose(csvOf(rows(MANY)));
    await checked().waitFor();
    let parts = 0;
    await context.route('**/upload-csv', (route) => {
      parts += 1;
      if (parts === 1) return route.continue();
      return route.fulfill({ status: 401, json: { error: 'no' } });
    });
    await shop.backend.query(
      'delete from auth.refresh_tokens where user_id in (select id from auth.users where email = $1)',
      [email],
    );
    await start().click();
    await text('Authentication session failed. Please log in again.').waitFor();
    expect(printed()).toContain('Authentication session failed');
    await context.unroute('**/upload-csv');
    await panel().getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await button('Resume').click();
    await text('Import successful! Processed 16000 records.').waitFor({ timeout: 30_000 });
    expect(await stored()).toBe(MANY);
  });
});

test('everything can be done with the keyboard', async () => {
  await openImport();
  const tabTo = async (name: string) => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        const label = element instanceof HTMLInputElement ? element.labels?.[0] : null;
        return label?.textContent ?? element?.textContent;
      });
      if (focused === name) return;
    }
    throw new Error(`Tab never reaches ${name}`);
  };
  // From here on, so that the browser knows of it when the key is pressed.
  const asked = page.waitForEvent('filechooser');
  await page.getByRole('heading', { level: 1 }).focus();
  await tabTo('Choose a CSV file');
  await page.keyboard.press('Enter');
  const chooser = await asked;
  await chooser.setFiles(fileOf(csvOf([...rows(4), ',M,,,,5,'])));
  await checked().waitFor();
  await tabTo('All or nothing');
  await page.keyboard.press('Space');
  await tabTo('Start Import');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await text('Import successful! Processed 4 records.').waitFor();
  expect(await start().evaluate((element) => element === document.activeElement)).toBe(true);
});

test('the keyboard keeps its place when the button that it pressed goes away', async () => {
  await openImport();
  const press = async (name: string) => {
    await button(name).focus();
    await page.keyboard.press('Enter');
    await button(name).waitFor({ state: 'detached' });
    expect(await start().evaluate((element) => element === document.activeElement), name).toBe(
      true,
    );
  };
  const parts = await holdParts();
  await choose(csvOf(rows(100_000)));
  await button('Stop checking').waitFor();
  await press('Stop checking');
  for (const then of ['Forget', 'Resume']) {
    await choose(csvOf(rows(4)));
    await checked().waitFor();
    await start().click();
    await text('Uploading to serverless function...').waitFor();
    await press('Cancel');
    if (then === 'Resume') parts.letGo();
    await press(then);
  }
  await text('Import successful! Processed 4 records.').waitFor();
  await button('Undo').focus();
  await page.keyboard.press('Enter');
  await button('Undo the import').focus();
  await page.keyboard.press('Enter');
  await page.getByText('Undone:').waitFor();
  await expect
    .poll(() => start().evaluate((element) => element === document.activeElement))
    .toBe(true);
});

test('a file that is dropped anywhere on the page is checked', async () => {
  await openImport();
  const dropped = await page.evaluateHandle(
    (csv) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([csv], 'dropped.csv'));
      return transfer;
    },
    csvOf(rows(2)),
  );
  await page.dispatchEvent('main', 'dragover', { dataTransfer: dropped });
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
  expect(await figures()).toMatchObject({ Rows: '2' });
  await page.getByText('dropped.csv').waitFor();
});

describe('axe finds nothing', () => {
  test.each(fewOf(1, LOOKS))('at $width pixels, $colorScheme', async ({ width, colorScheme }) => {
    const visitor = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      ...workerFor(),
    });
    const view = await visitor.newPage();
    const look = async (what: string) => {
      expect(await axeFindings(view), what).toEqual([]);
      const isNarrow = await view.evaluate(
        () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      );
      expect(isNarrow, `${what}: nothing is wider than the screen`).toBe(true);
    };
    await view.goto(`${line.url}/admin/import`);
    await text('Access Denied. Redirecting to login...', view).waitFor();
    await look('Access Denied');
    await openImport(view);
    await view.getByText('What the file may hold').click();
    await look('the rules');
    await choose('SKC,Price,Retail price\nA,10,20\n', view);
    await view.getByText('Several columns of the file').waitFor();
    await look('a question');
    await choose('Name,Colour\nTee,red\n', view);
    await view.getByRole('heading', { name: 'This file cannot be read' }).waitFor();
    await start(view).click();
    await view.getByText('Import failed due to client error').waitFor();
    await look('a fault');
    await choose(csvOf([...rows(3), ',M,,,,5,', 'X,M,,,,a,']), view);
    await checked(view).waitFor();
    await view.getByText('The first lines as').click();
    await look('the check');
    await start(view).click();
    await view.getByRole('dialog').waitFor();
    await look('the question about refused rows');
    await view.getByRole('button', { name: /^Import the other/ }).click();
    await text('Import successful! Processed 3 records.', view).waitFor();
    await view.getByRole('button', { name: 'Undo' }).waitFor();
    await look('the end');
    await visitor.route('**/upload-csv', () => undefined);
    await choose(csvOf(rows(3)), view);
    await start(view).click();
    await text('Uploading to serverless function...', view).waitFor();
    await look('sending');
  });
});
