/** Staff import files, each journey in every engine. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM, FIREFOX } from './puppeteer.ts';
import { email, openShopForFile, payingShop, profile, visitBeforeEach, visitor } from './visit.ts';
import { WEBKIT } from './webkit.ts';

openShopForFile();

/** Chooses a file with these lines on the import page. */
async function choose(lines: readonly string[]): Promise<void> {
  const path = join(profile, 'products.csv');
  writeFileSync(path, lines.join('\n'));
  const input = await visitor.tab.element(`document.querySelector('input[type=file]')`);
  await input?.chooseFile(path);
}

const HEADER = 'SKC,Size,Category 1,Retail Price,Images link';
const rowOf = (skc: string) => `${skc},M,Tee,10.00,/pictures/none.svg`;

/** By field, a heading that means nothing, and a value. No two begin with the same letter. */
const UNKNOWN = {
  SKC: ['Quux', 'Q-1'],
  Size: ['Wibble', 'M'],
  'Images link': ['Eek', '/pictures/none.svg'],
  'Category 1': ['Rumba', 'Coat'],
  'Category 2': ['Tango', 'Women'],
  'Category 3': ['Yodel', 'Wool'],
  'Category 4': ['Umbra', 'Long'],
  'Retail Price': ['Ibex', '120.50'],
  Material: ['Oboe', 'Loden'],
  'Fabric Composition': ['Plinth', '100% wool'],
} as const;

describe.each([CHROMIUM, FIREFOX, WEBKIT])('in $name', (engine) => {
  visitBeforeEach(engine);
  beforeEach(async () => {
    await visitor.logIn(email, '/admin/import');
    await visitor.find('heading', 'Last import');
  });

  test('staff import 50,000 rows', async () => {
    const count = 50_000;
    await choose([
      HEADER,
      ...Array.from({ length: count }, (_, i) => rowOf(`${engine.name}-${i}`)),
    ]);
    await visitor.find('heading', 'Preview');
    await visitor.click('button', 'Start Import');
    await expect
      .poll(() => visitor.text(), { timeout: 500_000 })
      .toContain(`Import successful! Processed ${count} records.`);
  });

  test('staff match ten columns whose headings say nothing, and the next such file needs no question', async () => {
    const cells = Object.values(UNKNOWN);
    const lines = [
      cells.map(([heading]) => heading).join(),
      cells.map(([, value]) => value).join(),
    ];
    await choose(lines);
    await visitor.waitFor('Choose the column for “SKC” below.');
    for (const [field, [heading]] of Object.entries(UNKNOWN)) {
      await visitor.type(field, heading.charAt(0), 'combobox');
      await visitor.find('heading', 'Preview');
    }
    expect(await visitor.axeFindings()).toEqual([]);
    await visitor.click('button', 'Start Import');
    await visitor.waitFor('Import successful! Processed 1 records.');
    const [stored] = await payingShop.shop.backend.query(
      `select concat_ws('; ', "SKC", "Size", "Images link", "Category 1", "Category 2", "Category 3",
         "Category 4", "Retail Price", "Material", "Fabric Composition") as text
       from public.products where "SKC" = 'Q-1'`,
    );
    expect(stored?.['text']).toBe(cells.map(([, value]) => value).join('; '));
    await choose(lines);
    await visitor.waitFor('We matched the columns as you did');
  });
});
