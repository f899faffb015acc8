/** The fields of the address, filled in by others than the shopper, and texts that do not fit. */
import { expect, test } from 'vitest';
import { isFocused } from '../browser/shown.ts';
import { ada, GARMENTS, page, shop, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS });

const FILLED = {
  full_name: 'Ada Weaver',
  address_line1: '1 Mill Lane',
  city: 'Chicago',
  state: 'IL',
  postal_code: '60614',
} as const;

/** The address of the shopper's order, as the shop stores it. */
async function orderedAddress() {
  const [order] = await shop.backend.query('select address from public.orders where email = $1', [
    ada.email,
  ]);
  return order?.['address'];
}

test('an address that a script of the page has filled in is used', async () => {
  await ada.logIn();
  await ada.add('Sock');
  await ada.goto('/checkout');
  await page.getByLabel('Full name').waitFor();
  await page.evaluate((texts) => {
    for (const [name, text] of Object.entries(texts)) {
      const field = document.querySelector<HTMLInputElement>(`input[name=${name}]`);
      if (!field) throw new Error(`there is no field ${name}`);
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }, FILLED);
  await ada.goToPayment();
  expect(await orderedAddress()).toMatchObject(FILLED);
});

test('a pasted address that is too long stays whole, is named at its field, and orders nothing', async () => {
  await ada.prepareToPay('Sock');
  const field = page.getByLabel('Address', { exact: true });
  const long = `${'Old Mill Lane, '.repeat(9)}flat 7`;
  await field.fill(long);
  await ada.payButton.click();
  await page.getByText('Use up to 100 characters.').waitFor();
  await expect.poll(() => isFocused(field)).toBe(true);
  expect(await field.inputValue()).toBe(long);
  expect(await ada.orders()).toEqual([]);
});

test('what was typed is there after a reload, also the country, whose words the labels are', async () => {
  await ada.prepareToPay('Sock');
  await page.getByLabel('Country').selectOption('CA');
  await page.getByLabel('Province').fill('Québec');
  await page.getByLabel('Postal code').fill('H2X 1Y4');
  await page.reload();
  expect(await page.getByLabel('Province').inputValue()).toBe('Québec');
  await ada.goToPayment();
  expect(await orderedAddress()).toMatchObject({ country: 'CA', state: 'QC', city: 'Chicago' });
});
