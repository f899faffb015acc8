import { describe, expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { DESKTOP, launchProfile, newProfileFolder, waitForWorker } from '../browser/browser.ts';
import { expireSession, putRows, storedRows, storedShopper } from '../browser/device-store.ts';
import { hold } from '../browser/hold.ts';
import { linkInMail } from '../browser/mail.ts';
import { recordRequests } from '../browser/observe.ts';
import { PASSWORD } from '../browser/shopper.ts';
import { isFocused } from '../browser/shown.ts';
import { fewOf } from '../full-run.ts';
import {
  ada,
  changeDevice,
  context,
  GARMENTS,
  line,
  page,
  shop,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach({ products: GARMENTS });

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
/** The page's address without its origin. */
const address = () => {
  const { pathname, search, hash } = new URL(page.url());
  return pathname + search + hash;
};
const focusedText = () => page.evaluate(() => document.activeElement?.textContent);
/** The button that opens the account menu. */
const menu = () => button(ada.email);

/** Opens a path and waits until its screen is complete. */
async function open(path: string): Promise<void> {
  await ada.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // The page's markup has the heading, and React adds the form.
  await page.locator('[data-arriving]').waitFor({ state: 'detached' });
}

/** Fills the form of a login or registration. */
async function fill(email: string, password: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel(/^(New p|P)assword$/).fill(password);
}

/** Opens the page for a new account, fills its form and sends it. */
async function register(email: string, password = 'secret-3'): Promise<void> {
  await open('/register');
  await fill(email, password);
  await button('Sign Up').click();
}

/** Sends the form of the login page. */
async function submitLogin(email = ada.email, password = PASSWORD): Promise<void> {
  await fill(email, password);
  await button('Log in').click();
}

/** Logs in on the login page. */
async function logIn(email = ada.email, password = PASSWORD): Promise<void> {
  await open('/login');
  await submitLogin(email, password);
  await button(email).waitFor();
}

/** Presses Logout in the account menu. */
async function pressLogout(): Promise<void> {
  await menu().click();
  await button('Logout').click();
}

/** Stores changes on the device that the server has not seen yet. */
async function putUnsavedChanges(...ids: readonly string[]): Promise<void> {
  const uid = (await storedShopper(page))?.uid;
  const change = {
    kind: 'favourite.add',
    args: { productId: 1 },
    schema: 1,
    madeAt: '',
    baseVer: 0,
  };
  const rows = ids.map((id) => ({ uid, id, change: { ...change, id } }));
  await putRows(page, 'outbox', rows);
}

describe('registering', () => {
  test('a new shopper registers, follows the link in the mail, logs in, logs out and logs in', async () => {
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
    expect(await page.getByLabel(/^(Email|Password)$/).count()).toBe(0);
    expect(await focusedText()).toBe(await outcome.textContent());

    await page.goto(await linkInMail(shop.backend, eve.email));
    await page.getByText('Your email is confirmed. Log in with your password.').waitFor();
    expect(address()).toBe('/');
    await link('Login').waitFor();
    expect(await button(eve.email).count()).toBe(0);
    await link('Log in').click();
    await heading('Sign In to Your Account').waitFor();
    await submitLogin(eve.email, eve.password);
    await button(eve.email).waitFor();
    expect(address()).toBe('/');

    await button(eve.email).click();
    await button('Logout').click();
    // Before this notice the logout may not be stored, and the login page would find the shopper logged in.
    await page.getByText('You’re logged out.').waitFor();
    await logIn(eve.email, eve.password);
  });

  test('a shopper whose mail is lost gets it again at the login', async () => {
    const mia = { email: 'mia@weft.test', password: 'secret-5' };
    await register(mia.email, mia.password);
    await page.getByText(/^Registration successful!/).waitFor();
    await open('/login');
    await submitLogin(mia.email, mia.password);
    await heading('Login Failed').waitFor();
    await button('Send it again').click();
    await page.getByText(/you can only request this after \d+ seconds/).waitFor();
    await shop.backend.query(
      "update auth.users set confirmation_sent_at = confirmation_sent_at - interval '1 minute' where email = $1",
      [mia.email],
    );
    await button('Send it again').click();
    await page.getByText(`We sent it again to ${mia.email}.`, { exact: true }).waitFor();
    await page.goto(await linkInMail(shop.backend, mia.email, { mailsSent: 2 }));
    await page.getByText('Your email is confirmed. Log in with your password.').waitFor();
  });

  test('a link that was used already is explained, and leads to the login', async () => {
    await register('twice@weft.test');
    const mailedLink = await linkInMail(shop.backend, 'twice@weft.test');
    await page.request.get(mailedLink); // as a program that looks through mails for dangerous links
    await page.goto(mailedLink);
    const alert = page.getByRole('alert').filter({ hasText: 'expired or was already used' });
    await alert.getByRole('link', { name: 'Log in' }).click();
    await heading('Sign In to Your Account').waitFor();
    await fill('twice@weft.test', 'secret-3');
    await page.keyboard.press('Enter');
    await button('twice@weft.test').waitFor();
  });

  test('a rejection is shown under Registration Error and takes the focus', async () => {
    await page.route('**/auth/v1/signup*', (route) =>
      route.fulfill({
        status: 422,
        json: { code: 422, error_code: 'signup_disabled', msg: 'Signups not allowed' },
      }),
    );
    await register('new@weft.test');
    await heading('Registration Error').waitFor();
    await page.getByText('Signups not allowed', { exact: true }).waitFor();
    await expect.poll(() => focusedText()).toContain('Registration Error');
    expect(await page.getByLabel('Email').inputValue()).toBe('new@weft.test');
  });

  test('a short password is rejected at its field, without asking the server', async () => {
    await open('/register');
    await fill('new@weft.test', '12345');
    const authRequests = recordRequests(page, /\/auth\/v1\//);
    await page.keyboard.press('Enter');
    const password = page.getByLabel('Password', { exact: true });
    await page.getByText('Use at least 6 characters.').waitFor();
    expect(await isFocused(password)).toBe(true);
    await password.pressSequentially('6');
    expect(await password.getAttribute('aria-invalid')).toBe('false');
    expect(authRequests).toEqual([]);
  });

  test('a password manager that fills both empty fields at once takes both faults away', async () => {
    await open('/register');
    await button('Sign Up').click();
    const faulty = page.locator('[aria-invalid=true]');
    await expect.poll(() => faulty.count()).toBe(2);
    await page.evaluate(() => {
      for (const field of document.querySelectorAll('[aria-invalid=true]')) {
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await expect.poll(() => faulty.count()).toBe(0);
  });
});

describe('logging in', () => {
  test('shows the provider’s message under Login Failed and keeps what was typed', async () => {
    await open('/login');
    await submitLogin(ada.email, 'wrong-1');
    await heading('Login Failed').waitFor();
    await page.getByText('Invalid login credentials', { exact: true }).waitFor();
    await expect.poll(() => focusedText()).toContain('Login Failed');
    await link('Forgot your password?').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(ada.email);
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('wrong-1');
  });

  test('says Logging in... while it is busy, and asks once however often Enter is pressed', async () => {
    await open('/login');
    await fill(ada.email, PASSWORD);
    const authRequests = recordRequests(page, /\/auth\/v1\//);
    const release = await hold(context, /\/auth\/v1\//);
    for (let i = 0; i < 3; i++) await page.keyboard.press('Enter');
    await button('Logging in...').waitFor();
    await button('Logging in...').click({ force: true });
    release();
    await menu().waitFor();
    expect(authRequests).toHaveLength(1);
    expect(address()).toBe('/');
  });

  test('leads to the page that the address names, and the next time at once', async () => {
    for (const isLoggedIn of [false, true]) {
      await open('/login?next=/cart');
      if (!isLoggedIn) await submitLogin();
      await expect.poll(() => address()).toBe('/cart');
    }
  });

  test('the header’s Login leads back to where the shopper was, also through the registration', async () => {
    await open('/?q=linen');
    await link('Login').click();
    await link('Create an account').click();
    await heading('Create Your Account').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await heading('Sign In to Your Account').waitFor();
    await submitLogin();
    await menu().waitFor();
    await expect.poll(() => address()).toBe('/?q=linen');
  });

  test('the form shows the password on request, and suits password managers', async () => {
    await open('/login');
    const password = page.locator('input[name=password]');
    await password.fill('secret');
    await button('Show password').click();
    expect(await password.getAttribute('type')).toBe('text');
    await button('Hide password').click();
    expect(await password.getAttribute('type')).toBe('password');
    expect(await password.inputValue()).toBe('secret');
    expect(await page.locator('main form').getAttribute('method')).toBe('post');
    expect(await password.getAttribute('autocomplete')).toBe('current-password');
    expect(await page.locator('input[name=email]').getAttribute('autocomplete')).toBe('username');
  });

  test(
    'offline the form says so before it is sent, and keeps what was typed',
    { tags: 'worker' },
    async () => {
      await open('/login');
      await waitForWorker(page);
      await context.setOffline(true);
      await page.getByText('You’re offline, so you can’t log in yet.').waitFor();
      await submitLogin();
      await page.getByText('We couldn’t reach the shop.').waitFor();
      await context.setOffline(false);
      await expect.poll(() => page.getByText('You’re offline, so').count()).toBe(0);
      await button('Log in').click();
      await menu().waitFor();
    },
  );
});

describe('a forgotten password', () => {
  test('the shopper gets a link by mail, sets a new password, and the old one no longer works', async () => {
    await open('/login');
    await link('Forgot your password?').click();
    await heading('Forgot Your Password?').waitFor();
    await page.getByLabel('Email', { exact: true }).fill(ada.email);
    await button('Send me a link').click();
    await page.getByText(`If ${ada.email} has an account`).waitFor();

    await page.goto(await linkInMail(shop.backend, ada.email));
    await heading('Choose a New Password').waitFor();
    await page.getByLabel('New password').waitFor();
    await page.reload();
    await page.getByLabel('New password').fill('secret-5');
    await button('Save password').click();
    await page.getByText('Your new password is saved, and you’re logged in.').waitFor();
    expect(address()).toBe('/reset-password');
    await page.reload();
    await page.getByText('You’re logged in. To choose a new password').waitFor();
    expect(await page.getByLabel('New password').count()).toBe(0);

    await pressLogout();
    await expect.poll(address).toBe('/');
    await link('Login').click();
    await heading('Sign In to Your Account').waitFor();
    await submitLogin();
    await heading('Login Failed').waitFor();
    await logIn(ada.email, 'secret-5');
  });

  test('the screen for a new password says what to do without a link', async () => {
    await open('/reset-password');
    await page.getByText('Check your email and open the link').waitFor();
    await link('Get a new link').click();
    await heading('Forgot Your Password?').waitFor();
  });
});

describe('the account menu', () => {
  test('a logout says how many changes are not saved, works offline, and keeps the changes', async () => {
    await logIn();
    await context.setOffline(true);
    await putUnsavedChanges('a', 'b', 'c');
    await pressLogout();
    const dialog = page.getByRole('dialog', { name: 'Log out now?' });
    await dialog.getByText('3 changes aren’t saved yet.').waitFor();
    await button('Stay logged in').click();
    await pressLogout();
    await button('Log out').click();
    await link('Login').waitFor();
    await page.getByText('You’re logged out.').waitFor();
    expect(await storedRows(page, 'outbox')).toHaveLength(3);
  });

  test('a second tab follows the login and the logout of the first', async () => {
    const second = await context.newPage();
    await second.goto(`${line.url}/login?next=/cart`);
    await second.getByLabel('Email').waitFor();
    await logIn();
    await second.getByRole('button', { name: ada.email }).waitFor();
    expect(new URL(second.url()).pathname).toBe('/cart');
    await pressLogout();
    await second.getByRole('link', { name: 'Login' }).waitFor();
  });
});

describe('a session', () => {
  test(
    'that has expired opens offline with the shopper’s name, at once',
    { tags: 'worker' },
    async () => {
      const folder = newProfileFolder();
      const before = await launchProfile(folder, { viewport: DESKTOP });
      const onDevice = await ada.inNewPage(before);
      await onDevice.logIn();
      await waitForWorker(onDevice.page);
      await expireSession(onDevice.page);
      await before.close();

      line.down();
      const after = await launchProfile(folder, { viewport: DESKTOP });
      const reopened = await after.newPage();
      await reopened.goto(`${line.url}/cart`, { waitUntil: 'commit' });
      await reopened.getByRole('heading', { level: 1 }).waitFor();
      // The page shows the name together with the heading, without asking a server in between.
      const name = reopened.getByRole('button', { name: ada.email });
      expect(await name.isVisible()).toBe(true);
      // Meanwhile the tab tries to renew the session. The failure must not remove the name.
      await reopened.waitForTimeout(2000);
      expect(await name.isVisible()).toBe(true);
      await after.close();
    },
  );

  test('that the server has ended asks the shopper to log in again, and fills in the email', async () => {
    await logIn();
    // Before `expireSession`, after which the page might renew the session.
    await shop.backend.query(
      'delete from auth.refresh_tokens where user_id = (select id from auth.users where email = $1)',
      [ada.email],
    );
    await expireSession(page);
    await page.reload();
    await link('Login').click();
    await page.getByText('Your session has ended.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(ada.email);
    await ada.typePassword();
    await menu().waitFor();
  });
});

test.each(fewOf(1, LOOKS))(
  'axe finds nothing in the forms at $width pixels, $colorScheme',
  async ({ width, colorScheme }) => {
    await changeDevice({ viewport: { width, height: 800 }, colorScheme });
    for (const path of ['/login', '/register', '/forgot-password', '/reset-password']) {
      await open(path);
      await expectAccessible(page, path);
      const submit = page.locator('main button[type=submit]');
      if ((await submit.count()) === 0) continue;
      await submit.click();
      await page.locator('[aria-invalid=true]').first().waitFor();
      await expectAccessible(page, `${path} with faults`);
    }
    await open('/login');
    await submitLogin(ada.email, 'wrong-1');
    await heading('Login Failed').waitFor();
    await expectAccessible(page, 'Login Failed');

    await submitLogin();
    const toggle = button(ada.email);
    await toggle.waitFor();
    await open('/reset-password');
    await link('Get a link').waitFor();
    await expectAccessible(page, 'no link for a new password');
    await toggle.click();
    await button('Logout').waitFor();
    await expectAccessible(page, 'the menu');
    await context.setOffline(true);
    await putUnsavedChanges('a');
    await button('Logout').click();
    await page.getByText('1 change isn’t saved yet.').waitFor();
    await expectAccessible(page, 'the question before a logout');
  },
);
