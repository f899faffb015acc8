/** The same file chosen again after its tab was killed: the import goes on. */
import { expect, test } from 'vitest';
import { quickOrFull } from '../full-run.ts';
import { SEED, seeded } from '../random.ts';
import { checkFile, type Device, newDevice, newPage, tabWith } from './device.ts';
import { textFile } from './product-files.ts';
import { BEGUN_AT, type RequestFault } from './shop-in-memory.ts';

const ROWS = 1000;
const textWith = (word: string) =>
  `SKC,Size,Material\n${Array.from({ length: ROWS }, (_, i) => `A${i},M,${word} ${i}`).join('\n')}\n`;
const FILE = textFile(textWith('Wool'));

/** Imports the file in a new tab, which is killed when so many rows are stored. Resolves then, or at the end. */
async function sendUntilKilled(device: Device, rows: number): Promise<void> {
  const tab = await tabWith(device, FILE);
  await new Promise<void>((resolve) => {
    const page = newPage({
      token() {
        if (device.shop.table.size < rows) return newPage().token();
        // The import waits for a token for ever, as if its tab were dead.
        resolve();
        return new Promise(() => undefined);
      },
    });
    void tab.send(page).then(() => resolve());
  });
}

test('an import whose tab was killed goes on when the same file is chosen again, under whatever name', async () => {
  const device = newDevice();
  await sendUntilKilled(device, 300);
  const stored = device.shop.table.size;
  expect(stored).toBeGreaterThanOrEqual(300);
  const page = newPage();
  const tab = await tabWith(device, textFile(textWith('Wool'), 'another name.csv'));
  const outcome = await tab.send(page);
  expect(outcome).toMatchObject({ kind: 'done', totals: { processed: ROWS, inserted: ROWS } });
  expect(page.continued).toEqual([Date.parse(BEGUN_AT)]);
  expect(device.shop.table.size).toBe(ROWS);
  const importIds = [...device.shop.parts.keys()].map((key) => key.split(' ')[0]);
  expect(new Set(importIds).size).toBe(1);
});

test('an import that is killed several times at random moments stores and counts every row once', async () => {
  console.log(`SEED=${SEED}`);
  for (let run = 0; run < quickOrFull(6, 20); run++) {
    const random = seeded(SEED + run);
    const device = newDevice();
    const faults: readonly RequestFault[] = ['none', 'none', 'lost', 'unanswered', 'portal'];
    device.shop.nextFault = () => faults[Math.floor(random() * faults.length)] ?? 'none';
    for (let kill = 0; kill < 4; kill++) {
      const rows = device.shop.table.size + 1 + Math.floor(random() * 150);
      await sendUntilKilled(device, rows);
    }
    const outcome = await (await tabWith(device, FILE)).send(newPage());
    expect(outcome).toMatchObject({ kind: 'done', totals: { processed: ROWS, inserted: ROWS } });
    const parts = [...device.shop.parts.values()];
    expect(parts.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(ROWS);
    expect(parts.reduce((sum, part) => sum + part.updated + part.unchanged, 0)).toBe(0);
  }
});

test('a file with other content, or read in another way, is an import of its own', async () => {
  const device = newDevice();
  await sendUntilKilled(device, 300);
  for (const [file, choice] of [
    [textFile(textWith('Silk')), {}],
    [FILE, { blankCellsClear: true }],
  ] as const) {
    const page = newPage();
    const tab = device.openTab();
    await checkFile(tab, file, choice);
    expect(await tab.send(page)).toMatchObject({ kind: 'done' });
    expect(page.continued).toEqual([]);
  }
});

test('an import that has ended is not continued: the same file is compared anew', async () => {
  const device = newDevice();
  await (await tabWith(device, FILE)).send(newPage());
  const page = newPage();
  const outcome = await (await tabWith(device, FILE)).send(page);
  expect(outcome).toMatchObject({ totals: { inserted: 0, unchanged: ROWS } });
  expect(page.continued).toEqual([]);
});

test('a build of the shop that divides files differently begins the import anew', async () => {
  const device = newDevice();
  await sendUntilKilled(device, 300);
  const tab = await tabWith(device, FILE, { limits: { chars: 3000, rows: 33 } });
  expect(await tab.send(newPage())).toMatchObject({ kind: 'done', totals: { processed: ROWS } });
  expect(device.shop.table.size).toBe(ROWS);
});
