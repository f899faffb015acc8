/** What a page reports to the shop when something goes wrong on a shopper's device. */
import { expect, test } from 'vitest';
import { pageErrors, context, GARMENTS, line, page, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS, serviceWorkers: 'block' });

/** A tab reports errors if its random number is below 0.25. */
const REPORTING = 0.1;
const NOT_REPORTING = 0.25;

/** Records the reports that pages send, and makes `Math.random` return this number in them. */
async function recordReports(randomNumber: number): Promise<unknown[]> {
  const sent: unknown[] = [];
  await context.route('**/functions/report', (route) => {
    sent.push(JSON.parse(route.request().postData() ?? 'null'));
    return route.continue();
  });
  await context.addInitScript((fixed) => {
    Math.random = () => fixed;
  }, randomNumber);
  return sent;
}

/** Opens the shop, throws an error with each of these stacks, and returns the reports. */
async function reportsOf(randomNumber: number, stacks: readonly string[]): Promise<unknown[]> {
  const sent = await recordReports(randomNumber);
  await page.goto(`${line.url}/`);
  await page.getByRole('article').first().waitFor();
  const script = await page.waitForFunction(
    () =>
      performance
        .getEntriesByType('resource')
        .find(({ name }) => name.includes('/after-first-paint'))?.name,
  );
  // This script installs the reporting. The import resolves once the script has run.
  await page.evaluate(`import(${JSON.stringify(await script.jsonValue())})`);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  for (const stack of stacks) {
    await page.evaluate(async (stack) => {
      const error = new TypeError('no such line of ada@weft.test');
      error.stack = stack;
      reportError(error);
      void Promise.reject(error);
      await new Promise((resolve) => setTimeout(resolve));
    }, stack);
  }
  // Each error is thrown twice: as an error and as a rejection.
  await expect.poll(() => pageErrors.length).toBe(2 * stacks.length);
  pageErrors.length = 0;
  return sent;
}

/** The stacks of an error in a browser extension, and of one in the shop. */
const EXTENSION_STACK = 'TypeError: x\n  at chrome-extension://x/assets/y.js:1:1';
const shopStack = () =>
  `TypeError: x\n  at f (${line.url}/assets/first-A1.js:1:23)\n  at g (chrome-extension://x/assets/y.js:1:1)`;

test('errors in the shop’s own scripts are reported, at most three times per tab', async () => {
  const stacks = [EXTENSION_STACK, shopStack(), shopStack(), shopStack()];
  const sent = await reportsOf(REPORTING, stacks);
  await expect.poll(() => sent.length).toBe(3);
  expect(sent[0]).toEqual({
    kind: 'error',
    name: 'TypeError',
    message: 'no such line of ada@weft.test',
    stack: ['first-A1.js:1:23'],
  });
});

test('three tabs of four report nothing', async () => {
  expect(await reportsOf(NOT_REPORTING, [shopStack(), shopStack()])).toEqual([]);
});

test('a page that cannot use the device’s storage reports that, and nothing else', async () => {
  const sent = await recordReports(REPORTING);
  await context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
  });
  await page.goto(`${line.url}/`);
  await page.getByRole('article').first().waitFor();
  await expect.poll(() => sent).toEqual([{ kind: 'memory' }]);
});
