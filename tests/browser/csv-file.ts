import type { Page } from 'playwright-core';

/** A CSV file with this content, for a file field. */
export function csvFile(content: string | Buffer, name = 'products.csv') {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
}

/** Chooses a CSV file on the import page. @param content the file, or its lines */
export async function chooseFile(
  page: Page,
  content: string | Buffer | readonly string[],
  name?: string,
): Promise<void> {
  const isWhole = typeof content === 'string' || Buffer.isBuffer(content);
  const csv = isWhole ? content : [...content, ''].join('\n');
  await page.locator('input[type=file]').setInputFiles(csvFile(csv, name));
}
