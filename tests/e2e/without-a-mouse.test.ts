/**
 * A purchase and an import by keyboard alone, and by the roles and names that a screen reader announces.
 */
import { describe, expect, test } from 'vitest';
import { PHONE } from '../browser/browser.ts';
import { csvFile } from '../browser/csv-file.ts';
import { PASSWORD, SUCCESS } from '../browser/shopper.ts';
import { ada, GARMENTS, page, SHIRT_MINOR, SOCK_MINOR, visitBeforeEach } from './fixture.ts';

const CSV = 'SKC,Size,Category 1,Retail Price,Images link\nN-1,M,Cape,75.00,/cape.svg\n';
/** The fields of the checkout and what is typed into them. */
const ADDRESS = [
  ['Full name', 'Ada Weaver'],
  ['Address', '1 Mill Lane'],
  ['City', 'Chicago'],
  ['State', 'IL'],
  ['ZIP code', '60614'],
] as const;

describe('by keyboard alone', () => {
  visitBeforeEach({ products: GARMENTS });

  /** The accessible name of the focused element, also inside a shadow root. */
  const focusedName = () =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return '';
      const labels = 'labels' in element ? (element.labels as NodeListOf<HTMLElement>) : [];
      const name = element.ariaLabel ?? labels?.[0]?.innerText ?? element.innerText;
      // `innerText` puts the visually hidden comma of "Cart, 1" on a line of its own.
      return name.replaceAll(/\s+/g, ' ').replace(' ,', ',').trim();
    });

  /** Presses Tab until the element with this name has the focus. */
  async function tabTo(target: string): Promise<void> {
    const names: string[] = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      const name = await focusedName();
      if (name === target) return;
      names.push(name);
    }
    throw new Error(`Tab never reaches ${target}, but ${names.join(' | ')}`);
  }

  /** Moves to the element with this name and presses Enter. */
  async function press(name: string): Promise<void> {
    await tabTo(name);
    await page.keyboard.press('Enter');
  }

  async function logIn(): Promise<void> {
    await press('Login');
    // The form appears later than the heading.
    await page.getByLabel('Email').waitFor();
    await tabTo('Email');
    await page.keyboard.type(ada.email);
    await tabTo('Password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('article').first().waitFor();
  }

  test('a shopper buys with PayPal', async () => {
    await ada.openCatalogue(GARMENTS.length);
    await logIn();
    await press('Add to Cart: Linen shirt, size M');
    await ada.waitForCartCount(1);
    await press('Cart, 1');
    await ada.heading('Shopping Cart').waitFor();
    await press('Proceed to Checkout');
    await ada.heading('Checkout').waitFor();
    await tabTo('Pay with Card (Stripe)');
    await page.keyboard.press('ArrowRight');
    expect(await focusedName()).toBe('Pay with PayPal');
    await page.getByRole('button', { name: /with PayPal$/ }).waitFor();
    for (const [label, value] of ADDRESS) {
      await tabTo(label);
      await page.keyboard.type(value);
    }
    await press((await ada.payButton.textContent()) ?? '');
    await ada.paymentButton('Pay').waitFor();
    await press('Pay');
    await ada.heading(SUCCESS).waitFor();
    await ada.expectOrders(['paid', SHIRT_MINOR]);
    await press('Continue Shopping');
    await ada.heading('New Arrivals').waitFor();
  });

  test('staff import a file', async () => {
    await ada.openCatalogue(GARMENTS.length);
    await logIn();
    await tabTo(ada.email);
    await page.keyboard.press('Enter');
    await press('Admin');
    await ada.heading('Product Data Import').waitFor();
    await page.getByRole('heading', { name: 'Last import' }).waitFor();
    const fileChooser = page.waitForEvent('filechooser');
    await press('Choose a CSV file');
    // The second row has no stock code. With "All or nothing" the page then asks whether to import the other row.
    await (await fileChooser).setFiles(csvFile(`${CSV},M,Cape,75.00\n`));
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    await tabTo('How the file is read Unicode (UTF-8), Comma, Period (12.50)');
    await page.keyboard.press('Enter');
    await tabTo('All or nothing');
    await page.keyboard.press('Space');
    await press('Start Import');
    await page.getByRole('dialog').waitFor();
    await press('Import 1 row');
    await page.getByText('Import successful! Processed 1 records.').waitFor();
    expect(await focusedName()).toBe('Start Import');
    await press('Weft');
    await page.getByRole('article', { name: 'Cape, size M' }).waitFor();
  });
});

describe('by accessible names alone', () => {
  visitBeforeEach({ products: GARMENTS, viewport: PHONE });

  type Role = 'link' | 'button' | 'textbox' | 'radio' | 'combobox' | 'heading' | 'article';
  const byRole = (role: Role, name: string) => page.getByRole(role, { name, exact: true });

  async function logIn(): Promise<void> {
    await byRole('link', 'Login').click();
    await byRole('textbox', 'Email').fill(ada.email);
    await byRole('textbox', 'Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click();
    await byRole('heading', 'New Arrivals').waitFor();
  }

  test('a shopper buys by card', async () => {
    await ada.openCatalogue(GARMENTS.length);
    await logIn();
    await byRole('article', 'Sock').getByRole('button', { name: 'Add to Cart: Sock' }).click();
    await page.getByRole('link', { name: /^Cart ?, 1$/ }).click();
    await byRole('link', 'Proceed to Checkout').click();
    await byRole('heading', 'Checkout').waitFor();
    await byRole('radio', 'Pay with Card (Stripe)').check();
    await byRole('combobox', 'Country').selectOption({ label: 'United States' });
    for (const [label, value] of ADDRESS) {
      await byRole('textbox', label).fill(value);
    }
    await byRole('button', 'Pay $9.00 USD by card').click();
    await byRole('button', 'Pay').click();
    await byRole('heading', SUCCESS).waitFor();
    await byRole('link', 'Continue Shopping').click();
    await byRole('heading', 'New Arrivals').waitFor();
    await ada.expectOrders(['paid', SOCK_MINOR]);
  });

  test('staff import a file', async () => {
    await ada.openCatalogue(GARMENTS.length);
    await logIn();
    await byRole('button', ada.email).click();
    await byRole('link', 'Admin').click();
    await byRole('heading', 'Last import').waitFor();
    const fileChooser = page.waitForEvent('filechooser');
    await byRole('button', 'Choose a CSV file').press('Enter');
    await (await fileChooser).setFiles(csvFile(CSV));
    await byRole('button', 'Start Import').click();
    await page.getByText('Import successful! Processed 1 records.').waitFor();
    await byRole('link', 'Weft').click();
    await byRole('article', 'Cape, size M').waitFor();
  });
});

describe('by keyboard, when the control that had the focus is gone', () => {
  visitBeforeEach({ products: GARMENTS });

  test('the focus goes to a control in its place', { tags: 'long' }, async () => {
    await ada.logIn();
    for (const name of ['Sock', 'Linen shirt, size M']) await ada.heart(name).click();
    await ada.goto('/?favourites=');
    await ada.waitForProducts(2);
    await ada.heart('Sock').press('Enter');
    await ada.waitForProducts(1);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  });
});
