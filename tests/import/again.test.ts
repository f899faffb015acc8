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
const FAULTS: readonly RequestFault[] = ['lost', 'unanswered', 'portal', 'busy', 500, 503, 'token'];

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

test('every row is stored and counted once, whatever network and server do and whenever the tab is killed', async () => {
  console.log(`SEED=${SEED}`);
  for (let run = 0; run < quickOrFull(6, 25); run++) {
    const random = seeded(SEED + run);
    const device = newDevice();
    device.shop.nextFault = () =>
      random() < 0.5 ? 'none' : (FAULTS[Math.floor(random() * FAULTS.length)] ?? 'none');
    for (let kill = 0; kill < 4; kill++) {
      const rows = device.shop.table.size + 1 + Math.floor(random() * 150);
      await sendUntilKilled(device, rows);
    }
    // From here on the server does not fail, at which an import would end.
    device.shop.nextFault = () => (random() < 0.5 ? 'none' : 'unanswered');
    const page = newPage();
    const outcome = await (await tabWith(device, FILE)).send(page);
    expect(outcome).toMatchObject({ kind: 'done', totals: { processed: ROWS, inserted: ROWS } });
    expect(page.waits.at(-1) ?? null).toBeNull();
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

test('a build of the shop that divides files differently begins the import anew', async () => {
  const device = newDevice();
  await sendUntilKilled(device, 300);
  const tab = await tabWith(device, FILE, { limits: { chars: 3000, rows: 33 } });
  expect(await tab.send(newPage())).toMatchObject({ kind: 'done', totals: { processed: ROWS } });
  expect(device.shop.table.size).toBe(ROWS);
});
