/** Staff import a file, in every engine. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, FIREFOX } from './puppeteer.ts';
import { email, openShopForFile, profile, visitBeforeEach, visitor } from './visit.ts';
import { WEBKIT } from './webkit.ts';

openShopForFile();

const HEADER = 'SKC,Size,Category 1,Retail Price,Images link';

describe.each([CHROMIUM, FIREFOX, WEBKIT])('in $name', (engine) => {
  visitBeforeEach(engine);

  test('staff import 50,000 rows', async () => {
    await visitor.logIn(email, '/admin/import');
    await visitor.find('heading', 'Last import');
    const count = 50_000;
    const rowOf = (_: unknown, i: number) => `${engine.name}-${i},M,Tee,10.00,/pictures/none.svg`;
    const path = join(profile, 'products.csv');
    writeFileSync(path, [HEADER, ...Array.from({ length: count }, rowOf)].join('\n'));
    const input = await visitor.tab.element(`document.querySelector('input[type=file]')`);
    await input?.chooseFile(path);
    await visitor.find('heading', 'Preview');
    await visitor.click('button', 'Start Import');
    await expect
      .poll(() => visitor.text(), { timeout: 500_000 })
      .toContain(`Import successful! Processed ${count} records.`);
  });
});
