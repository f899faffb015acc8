/** How a new build replaces the old one beside a half-filled form, in every engine. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newServedSite } from '../browser/deploy.ts';
import { CHROMIUM, FIREFOX, WEAK_PHONE } from './puppeteer.ts';
import { addSock, logIn, newVisitor, openShopForFile, visitBeforeEach, visitor } from './visit.ts';
import type { Visitor } from './visitor.ts';
import { WEBKIT } from './webkit.ts';

/** In the first build the shop is named Weft, in the next one Warp. */
const site = newServedSite();

beforeAll(() => site.build('Warp'));
openShopForFile(site.path);
beforeEach(() => site.deploy());
afterAll(() => site.remove());

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
    await logIn();
    await visitor.waitForWorker();
    await addSock();
    await visitor.goto('/checkout');
    await visitor.type(/^Full name/, 'Ada Weaver');
    await visitor.type(/^City/, 'Chica');
    const mail = await newVisitor();
    await mail.goto('/forgot-password');
    await mail.type('Email', 'ada@weft');
    const catalogue = await newVisitor();
    await catalogue.openCatalogue(3);

    site.deploy('Warp');
    await catalogue.tab.evaluate(
      'navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => true)',
    );
    await catalogue.waitFor('A new version is ready.');
    expect(await wordmark(catalogue), 'nothing happens before consent').toBe('Weft');
    await catalogue.click('button', 'Update');
    await expect.poll(() => wordmark(catalogue)).toBe('Warp');

    // The checkout's fields are stored on the device, so its page may be replaced once no field has the focus.
    // The field of the other form is not stored, so its page stays as it is.
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
