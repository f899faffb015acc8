/** Agents in the browser can use the shop's forms as tools (WebMCP), which Chromium supports behind a flag. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser/browser.ts';
import { Shopper } from '../browser/shopper.ts';
import { GARMENTS, payingShop, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS });

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser(['--enable-features=WebMCP', '--enable-blink-features=WebMCP']);
});
afterAll(() => browser.close());

/** What DevTools has reported of a page so far: the names of tools, and what is wrong with their forms. */
interface Tools {
  readonly names: Set<string>;
  readonly issues: string[];
}

/** Starts to fill the returned object with DevTools' reports. */
async function watchTools({ page }: Shopper): Promise<Tools> {
  const tools: Tools = { names: new Set(), issues: [] };
  const devtools = await page.context().newCDPSession(page);
  // Playwright's types do not know this event and its command.
  devtools.on('event', ({ method, params }) => {
    if (method !== 'WebMCP.toolsAdded') return;
    const added = params as { readonly tools: readonly { readonly name: string }[] };
    for (const { name } of added.tools) tools.names.add(name);
  });
  devtools.on('Audits.issueAdded', ({ issue }) => {
    const type = issue.details.genericIssueDetails?.errorType;
    if (type?.startsWith('FormModelContext')) tools.issues.push(type);
  });
  await devtools.send('Audits.enable');
  await devtools.send('WebMCP.enable' as 'Audits.enable');
  return tools;
}

test('search, login, registration, passwords and checkout are tools whose fields are all described', async () => {
  const shopper = await Shopper.register(payingShop, await browser.newContext());
  const tools = await watchTools(shopper);
  const expectTool = (name: string) => expect.poll(() => [...tools.names]).toContain(name);
  await shopper.goto('/');
  await expectTool('header-search');
  await expectTool('catalogue-search');
  await shopper.goto('/register');
  await expectTool('register');
  await shopper.goto('/forgot-password');
  await expectTool('forgot_password');
  await shopper.logIn();
  await expectTool('log_in');
  await shopper.add('Sock');
  await shopper.goto('/checkout');
  await expectTool('checkout');
  await shopper.heading('Checkout').waitFor();
  await shopper.page.waitForLoadState('networkidle');
  expect(tools.issues).toEqual([]);
});
