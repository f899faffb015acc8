/** How a new build replaces the old one beside a half-filled form, in every engine. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildSite, SITE_FOLDER } from '../build-once.ts';
import { CHROMIUM, FIREFOX, WEAK_PHONE } from './puppeteer.ts';
import { email, newVisitor, openShopForFile, visitBeforeEach, visitor } from './visit.ts';
import type { Visitor } from './visitor.ts';
import { WEBKIT } from './webkit.ts';

const folder = mkdtempSync(join(tmpdir(), 'weft-versions-'));
/** The folder that the shop serves. */
const site = join(folder, 'site');
/** The next build, in which the shop is named Warp; in the first one it is named Weft. */
const next = join(folder, 'next');

beforeAll(() => buildSite(next, { VITE_STORE_NAME: 'Warp' }));
openShopForFile(site);
beforeEach(() => deploy(SITE_FOLDER));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Replaces all files of the served site with those of this build. */
function deploy(build: string): void {
  rmSync(site, { recursive: true, force: true });
  cpSync(build, site, { recursive: true });
}

/** The name of the shop in the header, from which a test knows the build. */
const wordmark = ({ tab }: Visitor) =>
  tab.evaluate(`document.querySelector('header a').textContent`);

/** What the fields with these names hold. */
const valuesIn = ({ tab }: Visitor, ...names: readonly string[]) =>
  tab.evaluate(
    `${JSON.stringify(names)}.map((name) => document.querySelector('[name=' + name + ']').value)`,
  );

describe.each([CHROMIUM, WEAK_PHONE, FIREFOX, WEBKIT])('in $name', (engine) => {
  visitBeforeEach(engine);

  test('a new build runs after consent, and what stood in half-filled forms is there afterwards', async () => {
    await visitor.logIn(email);
    await visitor.waitForProducts(3);
    await visitor.waitForWorker();
    await visitor.click('button', 'Add to Cart: Sock');
    await visitor.waitForCartCount(1);
    await visitor.goto('/checkout');
    await visitor.type(/^Full name/, 'Ada Weaver');
    await visitor.type(/^City/, 'Chica');
    const mail = await newVisitor();
    await mail.goto('/forgot-password');
    await mail.type('Email', 'ada@weft');
    const catalogue = await newVisitor();
    await catalogue.openCatalogue(3);

    deploy(next);
    await catalogue.tab.evaluate(
      'navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => true)',
    );
    await catalogue.waitFor('A new version is ready.');
    expect(await wordmark(catalogue), 'nothing happens before consent').toBe('Weft');
    await catalogue.click('button', 'Update');
    await expect.poll(() => wordmark(catalogue)).toBe('Warp');

    // The checkout's fields are stored on the device, so once no field has the focus its page may be replaced;
    // the fields of the other form are not stored.
    await visitor.tab.evaluate('document.activeElement.blur()');
    await expect.poll(() => wordmark(visitor)).toBe('Warp');
    await visitor.find('textbox', /^City/);
    expect(await valuesIn(visitor, 'full_name', 'city')).toEqual(['Ada Weaver', 'Chica']);
    expect(await wordmark(mail)).toBe('Weft');
    await mail.type('Email', '.test');
    expect(await valuesIn(mail, 'email')).toEqual(['ada@weft.test']);
    await mail.goto('/forgot-password');
    await expect.poll(() => wordmark(mail)).toBe('Warp');
  });
});
