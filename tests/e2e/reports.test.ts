/** What a page tells the shop's log when something goes wrong at a customer's. */
import { expect, test } from 'vitest';
import { complaints, context, GARMENTS, line, page, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS, serviceWorkers: 'block' });

/** Opens the shop, has errors thrown in its scripts, and returns what it sent. */
async function reportsOf(chance: number, throwIn: readonly string[]): Promise<unknown[]> {
  const sent: unknown[] = [];
  await context.route('**/functions/report', (route) => {
    sent.push(JSON.parse(route.request().postData() ?? 'null'));
    return route.continue();
  });
  await context.addInitScript((fixed) => {
    Math.random = () => fixed;
  }, chance);
  await page.goto(`${line.url}/`);
  await page.getByRole('article').first().waitFor();
  const script = await page.waitForFunction(
    () =>
      performance
        .getEntriesByType('resource')
        .find(({ name }) => name.includes('/after-first-paint'))?.name,
  );
  // The shop starts it as soon as it has run, which an import of our own waits for as well.
  await page.evaluate(`import(${JSON.stringify(await script.jsonValue())})`);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  for (const stack of throwIn) {
    await page.evaluate(async (stack) => {
      const error = new TypeError('no such line of ada@weft.test');
      error.stack = stack;
      reportError(error);
      void Promise.reject(error);
      await new Promise((resolve) => setTimeout(resolve));
    }, stack);
  }
  // Each was thrown twice: as an error and as a rejection.
  await expect.poll(() => complaints.length).toBe(2 * throwIn.length);
  complaints.length = 0;
  return sent;
}

const OWN =
  'TypeError: x\n  at f (http://localhost/assets/first-A1.js:1:23)\n  at g (chrome-extension://x/y.js:1:1)';

test('errors in the shop’s own scripts are reported, three times a tab at most', async () => {
  const sent = await reportsOf(0.1, [
    'TypeError: x\n  at chrome-extension://x/y.js:1:1',
    OWN,
    OWN,
    OWN,
  ]);
  await expect.poll(() => sent.length).toBe(3);
  expect(sent[0]).toEqual({
    kind: 'error',
    name: 'TypeError',
    message: 'no such line of ada@weft.test',
    stack: ['first-A1.js:1:23'],
  });
});

test('three tabs of four report nothing', async () => {
  expect(await reportsOf(0.25, [OWN, OWN])).toEqual([]);
});

test('a page that has to go on in memory reports that, and nothing else', async () => {
  const sent: unknown[] = [];
  await context.route('**/functions/report', (route) => {
    sent.push(JSON.parse(route.request().postData() ?? 'null'));
    return route.continue();
  });
  await context.addInitScript(() => {
    Math.random = () => 0.1;
    IDBFactory.prototype.open = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
  });
  await page.goto(`${line.url}/`);
  await page.getByRole('article').first().waitFor();
  await expect.poll(() => sent).toEqual([{ kind: 'memory' }]);
  complaints.length = 0; // the storage that is blocked
});
