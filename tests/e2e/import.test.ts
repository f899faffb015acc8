/** The import page with files in the shop's own columns: checking, sending, cancelling, undoing, faults. */
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { waitForWorker } from '../browser/browser.ts';
import { chooseFile } from '../browser/csv-file.ts';
import { hold } from '../browser/hold.ts';
import { isFocused } from '../browser/shown.ts';
import { fewOf } from '../full-run.ts';
import {
  ada,
  changeDevice,
  pageErrors,
  context,
  line,
  page,
  shop,
  visitBeforeEach,
} from './fixture.ts';
import {
  checkHeading,
  holdAtAccessDenied,
  openImport,
  readCheck,
  startButton,
} from './import-page.ts';

const HEADER = 'SKC,Size,Images link,Category 1,Category 2,Retail Price,Material';
/** This many rows are sent in two parts, so that a test can stop an import halfway. */
const MANY = 16_000;
/** What the panel says when the first of the two parts is stored. */
const SOME_STORED = /([1-9][\d,]*) of 16,000 rows saved/;

visitBeforeEach();

const button = (name: string) => page.getByRole('button', { name, exact: true });
const text = (words: string) => page.getByText(words, { exact: true });
/** The part of the page that shows the progress and the outcome of an import. */
const panel = () => page.getByRole('region', { name: 'Import', exact: true });

/** Waits until the page says that it imported `count` rows. */
async function expectImported(count: number): Promise<void> {
  const success = text(`Import successful! Processed ${count} records.`);
  await success.waitFor({ timeout: 40_000 });
}

/** The text of a file with these lines under the usual header. */
const csvOf = (lines: readonly string[]) => [HEADER, ...lines, ''].join('\n');

/** Chooses a file of these lines under the usual header. */
const choose = (lines: readonly string[]) => chooseFile(page, csvOf(lines));

/** Chooses a file of these lines, and returns the figures of its check. */
async function check(lines: readonly string[]): Promise<Record<string, string>> {
  await choose(lines);
  return readCheck();
}

/** Chooses a file of these lines and starts the import once it is checked. */
async function checkAndStart(lines: readonly string[]): Promise<void> {
  await choose(lines);
  await checkHeading().waitFor();
  await startButton().click();
}

/** Starts the import of the chosen file, and waits until `count` rows are imported. */
async function startAndImport(count: number): Promise<void> {
  await startButton().click();
  await expectImported(count);
}

/** Chooses a file of these lines, and imports it once it is checked. */
async function checkAndImport(lines: readonly string[], imported: number): Promise<void> {
  await check(lines);
  await startAndImport(imported);
}

/** Lines of products with the stock codes `000000`, `000001` and so on. */
function rows(count: number, price = '10.00'): string[] {
  return Array.from({ length: count }, (_, i) => {
    const id = String(i).padStart(6, '0');
    return `${id},M,https://pictures.example/${id}.jpg,Tee,Women,${price},Organic cotton jersey`;
  });
}

/** How many products the shop has. */
async function productCount(): Promise<number> {
  const [row] = await shop.backend.query('select count(*)::int as n from public.products');
  return Number(row?.['n']);
}

/** The text of the file that a click on this button downloads. */
async function downloadedBy(name: string): Promise<string> {
  const download = page.waitForEvent('download');
  await button(name).click();
  return readFileSync(await (await download).path(), 'utf8');
}

/** Starts an import of two parts, and waits until the first is stored. The second waits for the returned function. */
async function startAndHoldHalfway(): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let parts = 0;
  await context.route('**/upload-csv', async (route) => {
    parts += 1;
    if (parts === 2) await released;
    await route.continue();
  });
  await checkAndStart(rows(MANY));
  await expect.poll(() => panel().textContent()).toMatch(SOME_STORED);
  const [, storedRows = ''] = SOME_STORED.exec((await panel().textContent()) ?? '') ?? [];
  expect(Number(storedRows.replace(',', ''))).toBe(await productCount());
  return release;
}

/** Answers all parts with this status and body, instead of the shop. */
async function rejectParts(status: number, json: object): Promise<void> {
  await context.route('**/upload-csv', (route) => route.fulfill({ status, json }));
}

describe('who may import', () => {
  test('a visitor is denied access, led to the login, and back after it', async () => {
    const goOn = await holdAtAccessDenied();
    await ada.goto('/admin/import');
    await text('Access Denied. Redirecting to login...').waitFor();
    await page.getByRole('link', { name: 'Log in now' }).waitFor();
    await goOn();
    await page.waitForURL('**/login?next=%2Fadmin%2Fimport');
    await ada.typeCredentials();
    await text('Any signed-in user can import.').waitFor();
  });

  test('where an import needs a role, the page names it and lets nobody else choose a file', async () => {
    await context.route('**/functions/imports', async (route) => {
      const answer = { required_role: 'staff', may_import: false, last: null, earlier: [] };
      await route.fulfill({ json: answer });
    });
    await openImport();
    await text('Only accounts with the role staff can import. Yours doesn’t have it.').waitFor();
    expect(await page.locator('input[type=file]').isDisabled()).toBe(true);
    expect(await startButton().isDisabled()).toBe(true);
  });

  test(
    'a logged-in shopper opens the page offline and checks a file',
    { tags: 'worker' },
    async () => {
      await openImport();
      await waitForWorker(page);
      // The page may have started before the service worker, which then has not kept the script that reads files.
      await page.reload();
      const keptScripts = () =>
        page.evaluate(async () => {
          const cache = await caches.open('late-files');
          return (await cache.keys()).filter(({ url }) => /\/worker-/.test(url)).length;
        });
      await expect.poll(keptScripts).toBe(1);
      await ada.goOffline();
      await page.reload();
      await page.getByText('You’re offline, so you can’t import yet.').waitFor();
      expect(await check(rows(3))).toMatchObject({ Rows: '3', New: '3' });
      await ada.goOnline();
      await expect
        .poll(() => page.getByText('You’re offline, so you can’t import').count())
        .toBe(0);
      // A screen reader announces the next text only if the empty live region is not hidden.
      const liveRegion = page.locator('section[aria-label="Import"] > output');
      expect(await liveRegion.and(page.getByRole('status')).count()).toBe(1);
    },
  );

  test('the page asks a shop that was down again, until it answers', async () => {
    let isDown = true;
    await page.route('**/functions/imports', (route) =>
      isDown ? route.abort() : route.continue(),
    );
    await openImport();
    await page.getByText('It will appear when you’re back online.').waitFor();
    isDown = false;
    await page.getByText('No imports yet.').waitFor();
    pageErrors.length = 0; // the browser prints the requests that failed
  });
});

describe('before anything is sent', () => {
  beforeEach(() => openImport());

  test('Start Import is disabled without a file, and says what is missing when it is pressed', async () => {
    expect(await startButton().textContent()).toBe('Start Import');
    expect(await startButton().isDisabled()).toBe(true);
    expect(await page.locator('input[type=file]').getAttribute('accept')).toBe('.csv');
    await startButton().focus();
    await page.keyboard.press('Enter');
    await text('Please select a CSV file first.').waitFor();
    await choose(rows(1));
    await expect.poll(() => text('Please select a CSV file first.').count()).toBe(0);
    expect(await startButton().isDisabled()).toBe(false);
  });

  test(
    'staff can read the rules and download a template and the catalogue',
    { tags: 'long' },
    async () => {
      await page.getByText('What your file can contain').click();
      expect(await downloadedBy('Download a template')).toContain('SKC,Size,Images link');
      await checkAndImport(rows(2), 2);
      const other = await context.newPage();
      await other.goto(line.url);
      await other.getByText('2 products', { exact: true }).waitFor();
      await chooseFile(page, await downloadedBy('Export the catalogue'));
      expect(await readCheck()).toMatchObject({ Rows: '2', New: '0', Unchanged: '2' });
    },
  );

  test('the check counts, names each problem with its first line, and shows what will be stored', async () => {
    await chooseFile(
      page,
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
    expect(await readCheck()).toEqual({
      Rows: '4',
      New: '1',
      Changed: '0',
      Unchanged: '0',
      Replaced: '1',
      Rejected: '2',
    });
    await page.getByText('4 read, 1 left out').click();
    await page.getByText('Left out: 1 column').click();
    await page.getByRole('term').filter({ hasText: 'Colour' }).waitFor();
    const problems = page.getByRole('region', { name: 'Findings' }).getByRole('listitem');
    expect(await problems.filter({ hasText: 'First: line 5' }).textContent()).toContain('abc');
    const replaced = problems.filter({ hasText: 'First: line 3' });
    expect(await replaced.textContent()).toMatch(/^1 row replaced.*replaced by line 6$/);
    const firstProduct = page.getByRole('table').getByRole('row').nth(1).getByRole('cell');
    expect(await firstProduct.allTextContents()).toEqual(['000123', 'M', 'Tee', '1250.00']);
  });

  test('staff can choose an encoding by looking at the first products of the file', async () => {
    const windowsText = Buffer.from('SKC,Material\nA,Seide \x96 gr\xfcn\n', 'latin1');
    await chooseFile(page, windowsText);
    await checkHeading().waitFor();
    const guess = page.getByRole('region', { name: 'How the text is read' });
    expect(await guess.textContent()).toMatch(
      /Our guess is Western European \(Windows-1252\)\..*gr\ufffdn is read as grün/,
    );
    await page.getByText('How the file is read').click();
    await page.getByRole('cell', { name: 'Seide – grün' }).waitFor();
    await page.getByLabel('Encoding').selectOption('windows-1251');
    await expect.poll(() => guess.count()).toBe(0);
    await page.getByRole('cell', { name: 'Seide – grьn' }).waitFor();
  });

  test('a guessed encoding that reads wrongly is changed by one press, with the keyboard', async () => {
    await chooseFile(page, Buffer.from('SKC,Material\nA,ye\xfeil s\xed\xf0\n', 'latin1'));
    await page.getByRole('cell', { name: 'yeþil síð' }).waitFor();
    const guess = page.getByRole('region', { name: 'How the text is read' });
    await guess.getByRole('button', { name: /^Turkish/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'yeşil síğ' }).waitFor();
    expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1254');
    await expect.poll(() => isFocused(startButton())).toBe(true);
  });

  test(
    'blank cells clear only when that is switched on, and the page asks how many they may clear',
    { tags: 'long' },
    async () => {
      await checkAndImport(rows(2), 2);
      await chooseFile(page, 'SKC,Size,Material\n000000,M,\n000001,M,\n');
      expect(await readCheck()).toMatchObject({ Changed: '0', Unchanged: '2' });
      await page.getByText('How the file is read').click();
      await page.getByLabel('Blank cells erase saved values').check();
      await page.getByText('They would erase 2 saved values.').waitFor();
      expect(await readCheck()).toMatchObject({ Changed: '2' });
      await startButton().click();
      await text('Blank cells would erase 2 saved values.').waitFor();
      await button('Import 2 rows').click();
      await expectImported(2);
      const materials = await shop.backend.query('select "Material" as m from public.products');
      expect(materials).toEqual([{ m: null }, { m: null }]);
    },
  );

  test('for a file that is not CSV the page says what it is, and for a broken one where it breaks', async () => {
    const workbook = 'PK\x03\x04\x14\x00\x06\x00[Content_Types].xml xl/workbook.xml';
    await chooseFile(page, workbook, 'prices.csv');
    const fault = page.getByRole('alert').filter({ hasText: 'We can’t read this file' });
    await fault.waitFor();
    expect(await fault.textContent()).toContain('Excel');
    await chooseFile(page, 'SKC,Material\nA,wool\nB,"never closed\nC,silk\n');
    // The alert names line 3 only once.
    await expect.poll(() => fault.textContent()).toMatch(/^(?!.*line 3.*line 3).*line 3/i);
  });

  test('the page asks before it imports the rest of a file with rejected rows', async () => {
    await checkAndStart([...rows(3), ',M,,,,5,', ',L,,,,5,']);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 of 5 rows can’t be imported.').waitFor();
    await page.keyboard.press('Escape');
    await text('Nothing was sent.').waitFor();
    expect(await productCount()).toBe(0);

    // Of these ten rows the last replaces the first.
    await check([...rows(9), ...rows(1, '9.00'), ',M,,,,5,']);
    await page.getByText('How the file is read').click();
    await page.getByLabel('All or nothing').check();
    await startButton().click();
    await dialog.getByText('1 of 11 rows can’t be imported.').waitFor();
    await dialog.getByRole('button', { name: 'Import 9 rows' }).click();
    await expectImported(9);
    expect(await productCount()).toBe(9);
  });
});

describe('an import', () => {
  beforeEach(() => openImport());

  test('counts in the next check, though its products come back to this device late', async () => {
    await check(rows(3));
    const releaseChanges = await hold(context, /\/catalogue\/changes/);
    await startAndImport(3);
    await choose(rows(3));
    await text('Getting the shop’s latest products first').waitFor();
    releaseChanges();
    expect(await readCheck()).toMatchObject({ New: '0', Changed: '0', Unchanged: '3' });
  });

  test('leaves rejected rows out, whose corrected report can be imported', async () => {
    await checkAndImport(
      [...rows(30), 'X-1,M,/1.jpg,Tee,Women,twelve,', 'X-2,"L,XL",/2.jpg,Tee,Women,-3,wool'],
      30,
    );
    const counts = '32 rows read: 30 new, 0 changed, 0 unchanged, 2 rejected.';
    await panel().getByText(counts).waitFor();
    await page.getByRole('region', { name: 'Last import' }).getByText(counts).waitFor();
    const report = await downloadedBy('Download the report');
    expect(report.split('\n').slice(1, 3).join('\n')).toMatch(/X-1.*32.*Retail Price[^]*X-2.*33/);
    await chooseFile(page, report.replace('twelve', '12').replace("'-3", '3'), 'mended.csv');
    expect(await readCheck()).toMatchObject({ Rows: '2', New: '2', Rejected: '0' });
    await startAndImport(2);
    const [row] = await shop.backend.query(
      `select "Size" as size, "Retail Price"::text as price from public.products where "SKC" = 'X-2'`,
    );
    expect(row).toEqual({ size: 'L,XL', price: '3.00' });
  });

  test('waits for the connection and continues by itself', async () => {
    const release = await startAndHoldHalfway();
    line.down();
    release();
    await text('You’re offline. The import will continue when you’re back online.').waitFor();
    expect(await startButton().textContent()).toBe('Importing...');
    expect(await startButton().isDisabled()).toBe(true);
    line.up();
    await expectImported(MANY);
    expect(await productCount()).toBe(MANY);
  });

  test('continues when its page was reloaded and the same file is chosen again', async () => {
    await startAndHoldHalfway();
    await page.reload();
    await page.getByText(/^products\.csv by you, .* \(not finished\)$/).waitFor();
    const release = await hold(context, /\/upload-csv/);
    await checkAndStart(rows(MANY));
    await panel()
      .getByText(/^Resuming the import you started on .* Nothing is saved twice\.$/)
      .waitFor();
    release();
    await expectImported(MANY);
  });

  test(
    'continues while the shopper looks around the shop, which says when it has ended',
    { tags: 'long' },
    async () => {
      const release = await startAndHoldHalfway();
      await text('Uploading to serverless function...').waitFor();
      await page.getByRole('link', { name: 'Cart' }).click();
      await page.getByRole('heading', { name: 'Shopping Cart' }).waitFor();
      await page.goBack();
      await expect.poll(() => startButton().textContent()).toBe('Importing...');
      await page.getByRole('link', { name: 'Cart' }).click();
      release();
      await expectImported(MANY);
      expect(new URL(page.url()).pathname).toBe('/cart');
    },
  );

  test('has the browser ask before its tab is closed, and not after it has ended', async () => {
    const release = await hold(context, /\/upload-csv/);
    const partRequest = page.waitForRequest(/\/upload-csv/);
    await checkAndStart(rows(3));
    await partRequest;
    const dialogTypes: string[] = [];
    page.on('dialog', (dialog) => {
      dialogTypes.push(dialog.type());
      void dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => dialogTypes).toEqual(['beforeunload']);
    release();
    await expectImported(3);
    await page.reload();
    expect(dialogTypes).toEqual(['beforeunload']);
  });
});

describe('when something goes wrong', () => {
  beforeEach(() => openImport());

  /** Returns the errors that the page has printed to the console, and removes them from `pageErrors`. */
  const takePageErrors = () => pageErrors.splice(0).join('\n');

  test('a rejected import shows the server’s message, or Server error when there is none', async () => {
    await rejectParts(400, { error: 'No loom today.' });
    await checkAndStart(rows(2));
    await text('Import failed: No loom today.').waitFor();
    await text('Check your browser’s console for details.').waitFor();
    expect(takePageErrors()).toMatch(/No loom today.*status: 400.*answer: Object/);
    await context.unroute('**/upload-csv');
    await rejectParts(400, {});
    await startButton().click();
    await text('Import failed: Server error').waitFor();
    expect(takePageErrors()).toContain('Server error');
    await context.unroute('**/upload-csv');
    await choose(rows(2));
    await expect.poll(() => panel().getByRole('alert').textContent()).toBe('');
    await startAndImport(2);
  });

  test('a finished import shows the server’s message', async () => {
    await context.route('**/upload-csv', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: { ...answer, message: 'Two tees are in.' } });
    });
    await checkAndStart(rows(2));
    await text('Two tees are in.').waitFor();
  });

  test('a file that cannot be imported is a client error, with the reason', async () => {
    await chooseFile(page, 'SKC,Material\nA,"wool\n');
    await page.getByRole('heading', { name: 'We can’t read this file' }).waitFor();
    expect(await startButton().isDisabled()).toBe(true);
    await startButton().press('Enter');
    await page.getByText(/^Import failed due to client error: .*quotation mark/).waitFor();
    expect(takePageErrors()).toContain('Import failed due to client error');
  });
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
  expect(await readCheck()).toMatchObject({ Rows: '2' });
  await page.getByText('dropped.csv').waitFor();
});

test('text that is dragged over the page stays with the browser, which drops it into a field', async () => {
  await openImport();
  const isPrevented = await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/plain', 'wool');
    return ['dragover', 'drop'].map((type) => {
      const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
      return !document.querySelector('main')!.dispatchEvent(event);
    });
  });
  expect(isPrevented).toEqual([false, false]);
});

test.each(fewOf(1, LOOKS))(
  'axe finds nothing at $width pixels, $colorScheme',
  async ({ width, colorScheme }) => {
    await changeDevice({ viewport: { width, height: 800 }, colorScheme });
    await holdAtAccessDenied();
    await ada.goto('/admin/import');
    await text('Access Denied. Redirecting to login...').waitFor();
    await expectAccessible(page, 'Access Denied');
    await openImport();
    await page.getByText('What your file can contain').click();
    await expectAccessible(page, 'the rules');
    await chooseFile(page, 'SKC,Price,Retail price\nA,10,20\n');
    await page.getByText('Choose the column for').waitFor();
    await page.getByText('Left out: 2 columns').click();
    await expectAccessible(page, 'a question');
    await chooseFile(page, 'SKC,Colour\nTee,"red\n');
    await page.getByRole('heading', { name: 'We can’t read this file' }).waitFor();
    await startButton().press('Enter');
    await page.getByText('Import failed due to client error').waitFor();
    await expectAccessible(page, 'a fault');
    pageErrors.length = 0; // the page prints the client error
    await choose([...rows(3), ',M,,,,5,', 'X,M,,,,a,']);
    await checkHeading().waitFor();
    await page.getByText('How the file is read').click();
    await expectAccessible(page, 'the check');
    await page.getByRole('button', { name: 'Fix these rows' }).click();
    await page.getByRole('table', { name: 'Rejected rows' }).waitFor();
    await expectAccessible(page, 'mending');
    await startButton().click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page, 'the question about rejected rows');
    await page.getByRole('button', { name: /^Import 3 rows$/ }).click();
    await expectImported(3);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await expectAccessible(page, 'the end');
    await context.route('**/upload-csv', () => undefined);
    await choose(rows(3));
    await startButton().click();
    await text('Uploading to serverless function...').waitFor();
    await expectAccessible(page, 'sending');
    // Otherwise the end of the test lets the request go, and the next test finds its products.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await checkHeading().waitFor();
  },
);
