import type { Page } from 'playwright-core';

/** Signs in as a person does, and waits until the catalogue is there. */
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
