import type { Page } from 'playwright-core';

/** Signs in with the form of the login page, and waits until the catalogue shows a product. */
export async function logIn(
  page: Page,
  url: string,
  email: string,
  password: string,
): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('article').first().waitFor();
}
