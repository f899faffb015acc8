import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { axeFindings, LOOKS } from '../browser/axe.ts';
import { fewOf } from '../share.ts';
import {
  complaintsOf,
  DESKTOP,
  launchProfile,
  newProfileFolder,
  waitForWorker,
} from '../browser/browser.ts';
import { linkInMail } from '../browser/mail.ts';
import { openLine } from '../browser/proxy.ts';
import { clientOf, type TestShop } from '../supabase/shop.ts';
import { cleanBrowser, cleanShop, workerFor } from './fixture.ts';

const ADA = { email: 'ada@weft.test', password: 'secret-1' };

let shop: TestShop;
let ada: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  ({ shop } = await cleanShop());
  ada = await shop.backend.addAccount(ADA);
  browser = await cleanBrowser();
});
beforeEach(async ({ task }) => {
  context = await browser.newContext({ viewport: DESKTOP, ...workerFor(task) });
  page = await context.newPage();
  complaints = complaintsOf(page);
});
afterEach(async () => {
  await context.close();
  // The browser's own line about the doorbell while a test keeps it offline.
  expect(complaints.filter((line) => !line.startsWith('WebSocket connection'))).toEqual([]);
});

const heading = (name: string, on = page) => on.getByRole('heading', { name, exact: true });
const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });
const link = (name: string, on = page) => on.getByRole('link', { name, exact: true });
const pathOf = (on = page) => {
  const { pathname, search, hash } = new URL(on.url());
  return pathname + search + hash;
};
const focused = (on = page) => on.evaluate(() => document.activeElement?.textContent);
const menu = (on = page) => button(ADA.email, on);

async function open(path: string, on = page): Promise<void> {
  await on.goto(shop.url + path);
  await on.getByRole('heading', { level: 1 }).waitFor();
  // The heading comes before its form.
  await on.locator('[data-arriving]').waitFor({ state: 'detached' });
}

async function fill(email: string, password: string | null, on = page): Promise<void> {
  await on.getByLabel('Email', { exact: true }).fill(email);
  if (password !== null) await on.getByLabel(/^(New p|P)assword$/).fill(password);
}

async function logIn({ email, password } = ADA, on = page): Promise<void> {
  await open('/login', on);
  await fill(email, password, on);
  await button('Login', on).click();
  await button(email, on).waitFor();
}

/** Holds requests to the auth server until told, and counts them. */
async function holdAuth(): Promise<{ count: () => number; letGo: () => void }> {
  let count = 0;
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((done) => (letGo = done));
  await page.route('**/auth/v1/**', async (route) => {
    count += 1;
    await gate;
    await route.continue();
  });
  return { count: () => count, letGo };
}

/**
 * Changes rows of the shop's own database in the browser. As text, which the browser's debugger may
 * run although the page's headers forbid the page to.
 */
async function inStore(on: Page, store: string, change: string): Promise<void> {
  await on.evaluate(`(async () => {
    const db = await new Promise((resolve) => {
      const request = indexedDB.open('weft');
      request.onsuccess = () => resolve(request.result);
    });
    const transaction = db.transaction(${JSON.stringify(store)}, 'readwrite');
    const store = transaction.objectStore(${JSON.stringify(store)});
    ${change};
    await new Promise((done) => (transaction.oncomplete = done));
    db.close();
  })()`);
}

const wearOut = (on: Page) =>
  inStore(
    on,
    'session',
    `store.get('weft-session').onsuccess = ({ target: { result } }) => {
       const session = JSON.parse(result.value);
       store.put({ ...result, value: JSON.stringify({ ...session, expires_at: 1000 }) });
     };`,
  );

describe('registering', () => {
  test('a new shopper registers, follows the link in the mail, logs out and logs in', async () => {
    const eve = { email: 'eve@weft.test', password: 'secret-2' };
    await open('/');
    await link('Sign Up').click();
    await heading('Create Your Account').waitFor();
    await page.getByPlaceholder('Minimum 6 characters').waitFor();
    await fill(eve.email, eve.password);
    await button('Sign Up').click();
    const outcome = page.getByText(
      'Registration successful! Please check your email to confirm your account, then you can sign in.',
      { exact: true },
    );
    await outcome.waitFor();
    expect(await page.locator('main form').count()).toBe(0);
    expect(await focused()).toBe(await outcome.textContent());

    await page.goto(await linkInMail(shop.backend, eve.email));
    await page.getByText('Your email is confirmed and you are signed in.').waitFor();
    await button(eve.email).waitFor();
    expect(pathOf()).toBe('/');

    await button(eve.email).click();
    await button('Logout').click();
    await link('Login').waitFor();
    expect(pathOf()).toBe('/');
    await logIn(eve);
    expect(pathOf()).toBe('/');
  });

  test('a link that this browser has not asked for signs in nobody who does not want it', async () => {
    const gil = { email: 'gil@weft.test', password: 'secret-3' };
    await clientOf(shop).auth.signUp(gil);
    // The link of a mail that was asked for without PKCE: by the build before, or by a stranger.
    const landing = await page.request.get(await linkInMail(shop.backend, gil.email), {
      maxRedirects: 0,
    });
    const { hash } = new URL(landing.headers()['location'] ?? '');
    expect(hash).toContain('access_token=');

    await page.goto(`${shop.url}/${hash}`);
    const question = page.getByRole('dialog', { name: `Sign in as ${gil.email}?` });
    await question.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await focused()).toBe('Not now');
    await button('Not now').click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => pathOf()).toBe('/');
    await link('Login').waitFor();

    await page.goto('about:blank');
    await page.goto(`${shop.url}/${hash}`);
    await button('Sign in').click();
    await page.getByText('Your email is confirmed and you are signed in.').waitFor();
    await button(gil.email).waitFor();
    await expect.poll(() => pathOf()).toBe('/');
  });

  test('a link that is opened in another browser is explained there', async () => {
    const hal = { email: 'hal@weft.test', password: 'secret-3' };
    await open('/register');
    await fill(hal.email, hal.password);
    await button('Sign Up').click();
    const address = await linkInMail(shop.backend, hal.email);
    const elsewhere = await browser.newContext({ viewport: DESKTOP });
    const other = await elsewhere.newPage();
    await other.goto(address);
    await other.getByText('Your link was asked for in another browser.').waitFor();
    await button('Sign in', other).click();
    await heading('Sign In to Your Account', other).waitFor();
    await logIn(hal, other);
    await elsewhere.close();
  });

  test('a link that was used already is explained, and leads to the login', async () => {
    await open('/register');
    await fill('twice@weft.test', 'secret-3');
    await button('Sign Up').click();
    const address = await linkInMail(shop.backend, 'twice@weft.test');
    await page.request.get(address);
    await page.goto(address);
    await page.getByText('The link has expired or was used already.').waitFor();
    await heading('Sign In to Your Account').waitFor();
    expect(pathOf()).toBe('/login?link=expired');
  });

  test('a refusal is shown under Registration Error and takes the focus', async () => {
    await page.route('**/auth/v1/signup*', (route) =>
      route.fulfill({
        status: 422,
        json: { code: 422, error_code: 'signup_disabled', msg: 'Signups not allowed' },
      }),
    );
    await open('/register');
    await fill('new@weft.test', 'secret-3');
    await button('Sign Up').click();
    await heading('Registration Error').waitFor();
    await page.getByText('Signups not allowed', { exact: true }).waitFor();
    await expect.poll(() => focused()).toContain('Registration Error');
    expect(await page.getByLabel('Email').inputValue()).toBe('new@weft.test');
  });

  test('a short password is refused on the spot, at its field', async () => {
    await open('/register');
    await fill('new@weft.test', '12345');
    const auth = await holdAuth();
    await page.keyboard.press('Enter');
    const password = page.getByLabel('Password', { exact: true });
    await page.getByText('The password needs at least 6 characters.').waitFor();
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    const fault = await password.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${fault}"]`).textContent()).toContain('at least 6');
    expect(await password.evaluate((input) => input === document.activeElement)).toBe(true);
    await password.pressSequentially('6');
    expect(await password.getAttribute('aria-invalid')).toBe('false');
    expect(auth.count()).toBe(0);
  });
});

describe('logging in', () => {
  test('shows the provider’s message under Login Failed and keeps what was typed', async () => {
    await open('/login');
    await fill(ADA.email, 'wrong-1');
    await button('Login').click();
    await heading('Login Failed').waitFor();
    await page.getByText('Invalid login credentials', { exact: true }).waitFor();
    await expect.poll(() => focused()).toContain('Login Failed');
    expect(await page.getByLabel('Email').inputValue()).toBe(ADA.email);
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('wrong-1');
  });

  test('says Logging in... while it is busy, and asks once however often Enter is pressed', async () => {
    await open('/login');
    await fill(ADA.email, ADA.password);
    const auth = await holdAuth();
    for (let i = 0; i < 3; i++) await page.keyboard.press('Enter');
    await button('Logging in...').waitFor();
    await button('Logging in...').click({ force: true });
    auth.letGo();
    await menu().waitFor();
    expect(auth.count()).toBe(1);
    expect(pathOf()).toBe('/');
  });

  test.each([
    ['/cart', '/cart'],
    ['/?q=linen', '/?q=linen'],
    ['//evil.test', '/'],
    [String.raw`/\evil.test`, '/'],
    ['https://evil.test', '/'],
  ])('with next=%s leads to %s', async (next, path) => {
    await open(`/login?next=${encodeURIComponent(next)}`);
    await fill(ADA.email, ADA.password);
    await button('Login').click();
    await menu().waitFor();
    await expect.poll(() => pathOf()).toBe(path);
    await open('/login?next=/cart');
    await expect.poll(() => pathOf()).toBe('/cart');
  });

  test('the header’s link leads back to where one was, through registering and back too', async () => {
    await open('/?q=linen');
    await link('Login').click();
    await link('Create an account').click();
    await heading('Create Your Account').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
    await heading('Sign In to Your Account').waitFor();
    await fill(ADA.email, ADA.password);
    await button('Login').click();
    await menu().waitFor();
    await expect.poll(() => pathOf()).toBe('/?q=linen');
  });

  test('a password can be looked at, and a password manager finds its way', async () => {
    await open('/login');
    const password = page.locator('input[name=password]');
    await password.fill('secret');
    await button('Show password').click();
    expect(await password.getAttribute('type')).toBe('text');
    await button('Hide password').click();
    expect(await password.getAttribute('type')).toBe('password');
    expect(await password.inputValue()).toBe('secret');
    const form = page.locator('main form');
    expect(await form.getAttribute('method')).toBe('post');
    expect(await password.getAttribute('autocomplete')).toBe('current-password');
    const email = page.locator('input[name=email]');
    expect(await email.getAttribute('autocomplete')).toBe('username');
    expect(await email.getAttribute('inputmode')).toBe('email');
    expect(await email.getAttribute('autocapitalize')).toBe('none');
    await link('Forgot your password?').waitFor();
  });

  test(
    'offline the form says so before it is tried, and keeps what was typed',
    { tags: 'worker' },
    async () => {
      await open('/login');
      await waitForWorker(page);
      await context.setOffline(true);
      await page.getByText('Signing in needs a connection, and there is none now.').waitFor();
      await fill(ADA.email, ADA.password);
      await button('Login').click();
      await page.getByText('The shop did not answer.').waitFor();
      await context.setOffline(false);
      await expect.poll(() => page.getByText('needs a connection').count()).toBe(0);
      await button('Login').click();
      await menu().waitFor();
    },
  );

  test('with the clock a day ahead works, and the session is not refreshed all the time', async () => {
    await page.clock.setSystemTime(Date.now() + 86_400_000);
    await logIn();
    const auth = await holdAuth();
    auth.letGo();
    await page.reload();
    await menu().waitFor();
    await page.waitForTimeout(1500);
    expect(auth.count()).toBe(0);
  });
});

describe('a forgotten password', () => {
  test('a mail brings a link, the link a new password, and the old one is no good', async () => {
    const bob = { email: 'bob@weft.test', password: 'secret-4' };
    await shop.backend.addAccount(bob);
    await open('/login');
    await link('Forgot your password?').click();
    await heading('Forgot Your Password?').waitFor();
    await fill(bob.email, null);
    await button('Send me a link').click();
    await page.getByText(`If there is an account for ${bob.email}`).waitFor();

    await page.goto(await linkInMail(shop.backend, bob.email));
    await heading('Choose a New Password').waitFor();
    await page.getByLabel('New password').waitFor();
    await page.reload();
    await page.getByLabel('New password').fill('secret-5');
    await button('Save password').click();
    await page.getByText('Your new password is saved, and you are signed in.').waitFor();
    expect(pathOf()).toBe('/reset-password');
    await page.reload();
    await page.getByText('You are signed in. A new password also takes a link').waitFor();
    expect(await page.getByLabel('New password').count()).toBe(0);

    await button(bob.email).click();
    await button('Logout').click();
    await link('Login').click();
    await heading('Sign In to Your Account').waitFor();
    await fill(bob.email, bob.password);
    await button('Login').click();
    await heading('Login Failed').waitFor();
    await logIn({ ...bob, password: 'secret-5' });
  });

  test('a link that was used already says so, and leads to where another one is sent from', async () => {
    const cat = { email: 'cat@weft.test', password: 'secret-4' };
    await shop.backend.addAccount(cat);
    await open('/forgot-password');
    await fill(cat.email, null);
    await button('Send me a link').click();
    const address = await linkInMail(shop.backend, cat.email);
    await page.request.get(address);
    await page.goto(address);
    await heading('Forgot Your Password?').waitFor();
    await page
      .getByText('The link has expired or was used already. Ask for another one here.')
      .waitFor();
    await fill(cat.email, null);
    await button('Send me a link').click();
    await page.goto(await linkInMail(shop.backend, cat.email, 2));
    await page.getByLabel('New password').waitFor();
  });

  test('a used link that only leads to the start page is explained for either kind of link', async () => {
    const dot = { email: 'dot@weft.test', password: 'secret-4' };
    await shop.backend.addAccount(dot);
    await clientOf(shop).auth.resetPasswordForEmail(dot.email);
    const address = await linkInMail(shop.backend, dot.email);
    await page.request.get(address);
    await page.goto(address);
    await page.getByText('If it was for a new password, ask for another one').waitFor();
    await link('Forgot your password?').click();
    await heading('Forgot Your Password?').waitFor();
  });

  test('being signed in does not do instead of a link', async () => {
    await logIn();
    await open('/reset-password');
    await page.getByText('You are signed in. A new password also takes a link').waitFor();
    expect(await page.locator('main form').count()).toBe(0);
    await link('Ask for a link').click();
    await heading('Forgot Your Password?').waitFor();
  });

  test('a link is good for an hour and until a logout', async () => {
    const fay = { email: 'fay@weft.test', password: 'secret-4' };
    await shop.backend.addAccount(fay);
    const follow = async (count: number) => {
      const redirectTo = `${shop.url}/reset-password`;
      await clientOf(shop).auth.resetPasswordForEmail(fay.email, { redirectTo });
      await page.goto(await linkInMail(shop.backend, fay.email, count));
      // The second time this shopper is signed in here.
      if (count === 1) await button('Sign in').click();
      await page.getByLabel('New password').waitFor();
    };
    const isRefused = async () => {
      await page.getByText('You are signed in. A new password also takes a link').waitFor();
      expect(await page.getByLabel('New password').count()).toBe(0);
    };
    await follow(1);
    await page.clock.setSystemTime(Date.now() + 61 * 60_000);
    await page.reload();
    await isRefused();

    await follow(2);
    await button(fay.email).click();
    await button('Logout').click();
    await link('Login').waitFor();
    await logIn(fay);
    await open('/reset-password');
    await isRefused();
  });

  test('the screen for a new password says what to do when one comes without a link', async () => {
    await open('/reset-password');
    await page.getByText('Open the link in the mail').waitFor();
    await link('Ask for another link').click();
    await heading('Forgot Your Password?').waitFor();
  });
});

describe('the account menu', () => {
  test('opens and closes by keyboard and by touch, and leads to Admin', async () => {
    await logIn();
    await menu().focus();
    await page.keyboard.press('Enter');
    expect(await menu().getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Orders');
    await page.keyboard.press('Escape');
    expect(await focused()).toContain(ADA.email);
    expect(await link('Admin').count()).toBe(0);
    await menu().click();
    await page.getByRole('heading', { level: 1 }).click();
    await expect.poll(() => link('Admin').count()).toBe(0);
    await menu().click();
    await link('Admin').click();
    await expect.poll(() => pathOf()).toBe('/admin/import');
    expect(await link('Admin').count()).toBe(0);
  });

  test('a logout names what is not saved yet; it works offline, and the changes stay', async () => {
    await logIn();
    await context.setOffline(true);
    await inStore(
      page,
      'outbox',
      `for (const id of ['a', 'b', 'c']) store.add({ uid: '${ada}', id, change: {
         id, kind: 'favourite.add', args: { productId: 1 }, schema: 1, madeAt: '' } });`,
    );
    await menu().click();
    await button('Logout').click();
    const dialog = page.getByRole('dialog', { name: 'Log out now?' });
    await dialog.getByText('3 changes are not saved yet.').waitFor();
    await button('Stay').click();
    await menu().click();
    await button('Logout').click();
    await button('Log out').click();
    await link('Login').waitFor();
    await page.getByText('You are logged out.').waitFor();
    expect(pathOf()).toBe('/');
    await inStore(
      page,
      'outbox',
      "store.count().onsuccess = ({ target }) => { document.title = target.result + ' kept'; };",
    );
    expect(await page.title()).toBe('3 kept');
  });

  test('a logout names what the shop did not take and nobody has read yet', async () => {
    await logIn();
    const dialog = page.getByRole('dialog', { name: 'Log out now?' });
    for (const [id, words] of [
      ['a', '1 change was not taken by the shop.'],
      ['b', '2 changes were not taken by the shop.'],
    ] as const) {
      await inStore(
        page,
        'refused',
        `store.put({ uid: '${ada}', id: '${id}', message: 'Sold out.', change: { id: '${id}',
           kind: 'cart.add', args: { productId: 1, by: 1 }, schema: 1, madeAt: '' } });`,
      );
      await menu().click();
      await button('Logout').click();
      await dialog.getByText(words).waitFor();
      expect(await dialog.getByText('not saved yet').count()).toBe(0);
      await button('Stay').click();
    }
    await open('/cart');
    const refused = page.getByRole('region', { name: 'Not saved' });
    await refused.getByText('Sold out.').first().waitFor();
    for (let i = 0; i < 2; i++)
      await refused.getByRole('button', { name: 'Dismiss' }).first().click();
    await refused.waitFor({ state: 'detached' });
    await menu().click();
    await button('Logout').click();
    await page.getByText('You are logged out.').waitFor();
    expect(await dialog.isVisible()).toBe(false);
  });

  test('a second tab follows: signed in, signed out', async () => {
    const second = await context.newPage();
    await open('/login?next=/cart', second);
    await logIn();
    await menu(second).waitFor();
    expect(pathOf(second)).toBe('/cart');
    await menu().click();
    await button('Logout').click();
    await link('Login', second).waitFor();
  });
});

describe('a session', () => {
  test(
    'that has worn out opens offline with the shopper’s name, at once',
    { tags: 'worker' },
    async () => {
      const line = await openLine(shop.url);
      const folder = newProfileFolder();
      const first = await launchProfile(folder, { viewport: DESKTOP });
      const before = await first.newPage();
      await before.goto(`${line.url}/login`);
      await fill(ADA.email, ADA.password, before);
      await button('Login', before).click();
      await menu(before).waitFor();
      await waitForWorker(before);
      await wearOut(before);
      await first.close();

      line.down();
      const second = await launchProfile(folder, { viewport: DESKTOP });
      const after = await second.newPage();
      await after.goto(`${line.url}/cart`, { waitUntil: 'commit' });
      await after.getByRole('heading', { level: 1 }).waitFor();
      // The heading and the name come in one drawing: nothing was asked in between.
      expect(await menu(after).isVisible()).toBe(true);
      await after.waitForTimeout(2000);
      expect(await menu(after).isVisible()).toBe(true);
      await second.close();
      await line.close();
    },
  );

  test('that the server has ended asks to sign in again, and knows the email', async () => {
    await logIn();
    // In this order: worn out first, the page might renew it before it has ended.
    await shop.backend.query('delete from auth.refresh_tokens where user_id = $1', [ada]);
    await wearOut(page);
    await page.reload();
    await link('Login').click();
    await page.getByText('Your session has ended.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(ADA.email);
    await page.getByLabel('Password', { exact: true }).fill(ADA.password);
    await page.keyboard.press('Enter');
    await menu().waitFor();
  });
});

describe('axe finds nothing', () => {
  test.each(fewOf(1, LOOKS))('at $width pixels, $colorScheme', async ({ width, colorScheme }) => {
    const visitor = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      ...workerFor(),
    });
    const view = await visitor.newPage();
    for (const path of ['/login', '/register', '/forgot-password', '/reset-password']) {
      await open(path, view);
      expect(await axeFindings(view), path).toEqual([]);
      const submit = view.locator('main button[type=submit]');
      if ((await submit.count()) === 0) continue;
      await submit.click();
      await view.locator('[aria-invalid=true]').first().waitFor();
      expect(await axeFindings(view), `${path} with faults`).toEqual([]);
    }
    await open('/login', view);
    await fill(ADA.email, 'wrong-1', view);
    await button('Login', view).click();
    await heading('Login Failed', view).waitFor();
    expect(await axeFindings(view), 'Login Failed').toEqual([]);
    const isNarrow = await view.evaluate(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    );
    expect(isNarrow, 'nothing is wider than the screen').toBe(true);

    await view.getByLabel('Password', { exact: true }).fill(ADA.password);
    await button('Login', view).click();
    const toggle = button(width < 768 ? 'Account' : ADA.email, view);
    await toggle.waitFor();
    await open('/reset-password', view);
    await link('Ask for a link', view).waitFor();
    expect(await axeFindings(view), 'no link for a new password').toEqual([]);
    await toggle.click();
    await button('Logout', view).waitFor();
    expect(await axeFindings(view), 'the menu').toEqual([]);
    await visitor.setOffline(true);
    await inStore(
      view,
      'outbox',
      `store.add({ uid: '${ada}', id: 'a', change: { id: 'a', kind: 'favourite.add',
         args: { productId: 1 }, schema: 1, madeAt: '' } });`,
    );
    await inStore(
      view,
      'refused',
      `store.put({ uid: '${ada}', id: 'b', message: '', change: {} });`,
    );
    await button('Logout', view).click();
    await view.getByText('1 change is not saved yet.').waitFor();
    await view.getByText('1 change was not taken by the shop.').waitFor();
    expect(await axeFindings(view), 'the question before a logout').toEqual([]);
    await visitor.close();
  });
});
