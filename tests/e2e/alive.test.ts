/** What makes the shop feel like an app: the invitation to install, the offline notice, sharing. */
import { expect, test } from 'vitest';
import { axeFindings } from '../browser/axe.ts';
import { PHONE, waitForWorker } from '../browser/browser.ts';
import {
  ada,
  changeDevice,
  context,
  GARMENTS,
  line,
  page,
  reopenPage,
  SCARF,
  SOCK,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach({ products: GARMENTS, viewport: PHONE });

/** The notice that invites to install the shop. */
const invitation = () => page.getByRole('status').getByText('Add Weft to this device?');

test('a visitor who comes back is invited, and the browser’s own question follows', async () => {
  let questions = 0;
  await context.exposeFunction('askToInstall', () => void (questions += 1));
  // Makes the pages installable.
  await context.addInitScript(() => {
    window.addEventListener('load', () => {
      const event = new Event('beforeinstallprompt', { cancelable: true });
      const prompt = Reflect.get(window, 'askToInstall') as () => Promise<void>;
      window.dispatchEvent(Object.assign(event, { prompt }));
    });
  });
  await ada.goto('/');
  await page.getByRole('article').first().waitFor();
  await page.waitForFunction(() => sessionStorage.getItem('visited') !== null);
  await reopenPage();
  await ada.goto('/');
  await invitation().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  await expect.poll(() => questions).toBe(1);
});

test('a shopper with Safari on a phone is told how to install: Share, then Add to Home Screen', async () => {
  await changeDevice({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/605.1',
  });
  await context.addInitScript(() => {
    Object.assign(Navigator.prototype, { standalone: false });
  });
  await ada.logIn();
  await ada.add('Sock');
  await invitation().waitFor();
  expect(await invitation().textContent()).toContain('Tap Share, then “Add to Home Screen”.');
  await page.getByRole('button', { name: 'Got it' }).click();
  expect(await invitation().count()).toBe(0);
});

/** The line that says since when the shop is offline. */
const offlineNotice = () => page.getByText(/^Offline since /);

test(
  'one line says since when the shop is offline and what waits, and moves nothing that is being looked at',
  { tags: 'worker' },
  async () => {
    await ada.logIn();
    await waitForWorker(page);
    // On a short screen the page can scroll: only a scrolled page is kept in its place (scroll anchoring).
    await page.setViewportSize({ width: 390, height: 500 });
    await page.evaluate(() => scrollTo(0, 100));
    const topOfFirstCard = () =>
      page.evaluate(() => document.querySelector('article')?.getBoundingClientRect().top);
    const topOnline = await topOfFirstCard();
    expect(await offlineNotice().count()).toBe(0);
    await context.setOffline(true);
    await expect
      .poll(() => offlineNotice().textContent())
      .toMatch(/^Offline since \d{1,2}:\d\d[^.]*\.$/);
    await expect.poll(topOfFirstCard).toBeCloseTo(topOnline!, 0);
    expect(await axeFindings(page)).toEqual([]);
    await ada.add('Sock', 'Scarf');
    await expect.poll(() => offlineNotice().textContent()).toMatch(/ 2 changes not saved yet\.$/);
    await context.setOffline(false);
    await expect.poll(() => offlineNotice().count()).toBe(0);
    await ada.waitForCart({ [SOCK]: 1, [SCARF]: 1 });
  },
);

test('the shopper can share a link to a product, or copy it where the browser cannot share', async () => {
  const path = `/product/${SOCK}`;
  const share = () => page.getByRole('button', { name: 'Share this product' });
  const shared: unknown[] = [];
  await context.exposeFunction('noteShared', (data: unknown) => void shared.push(data));
  await context.addInitScript(() => {
    const noteShared = (data: unknown) =>
      (Reflect.get(window, 'noteShared') as (data: unknown) => Promise<void>)(data);
    Object.assign(Navigator.prototype, { share: noteShared });
  });
  await ada.goto(path);
  await share().click();
  const url = line.url + path;
  await expect.poll(() => shared).toEqual([{ title: expect.stringContaining('Sock'), url }]);

  await changeDevice({ permissions: ['clipboard-read', 'clipboard-write'] });
  await context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'share');
  });
  await ada.goto(path);
  await share().click();
  await page.getByText('Link copied.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  expect(await axeFindings(page)).toEqual([]);
});
