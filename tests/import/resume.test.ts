/** Imports whose tab was killed, and how the next tab resumes them. */
import { expect, test } from 'vitest';
import type { ImportWorker, PageCallbacks } from '../../src/import/protocol.ts';
import { fingerprintOf } from '../../src/import/worker/file-text.ts';
import { OTHER_CONTENT } from '../../src/import/worker/send-file.ts';
import { SEED, seeded } from '../random.ts';
import { type Device, newDevice, newPage, tabWith, unfinishedIn } from './device.ts';
import { textFile } from './product-files.ts';
import type { RequestFault } from './shop-in-memory.ts';

const ROWS = 1000;
const textWith = (word: string) =>
  `SKC,Size,Material\n${Array.from({ length: ROWS }, (_, i) => `A${i},M,${word} ${i}`).join('\n')}\n`;
const FILE = textFile(textWith('Wool'));

/** Sends until at least so many rows are stored, kills the tab and returns a new tab. */
async function tabAfterKill(device: Device, rows: number, tools = {}): Promise<ImportWorker> {
  const tab = await tabWith(device, FILE, tools);
  await runUntilKilled(device, rows, (page) => tab.send('ann', page));
  return device.openTab();
}

/** Runs an import, whose tab is killed when so many rows are stored. Resolves then, or when it has ended. */
function runUntilKilled(
  { shop }: Device,
  rows: number,
  runImport: (page: PageCallbacks) => Promise<unknown>,
): Promise<void> {
  return new Promise((resolve) => {
    const page = newPage({
      token() {
        if (shop.table.size < rows) return newPage().token();
        // The import waits for a token for ever, as if its tab were dead.
        resolve();
        return new Promise(() => undefined);
      },
    });
    void runImport(page).then(() => resolve());
  });
}

test('an import whose tab was killed goes on in the next tab, without the parts that are known to be stored', async () => {
  const device = newDevice();
  const tab = await tabAfterKill(device, 300);
  const unfinished = await unfinishedIn(tab);
  expect(unfinished).toMatchObject({ rowsTotal: ROWS, hasFile: true });
  const { requests } = device.shop;
  const page = newPage();
  const outcome = await tab.resume('ann', unfinished.importId, null, page);
  expect(outcome).toMatchObject({ kind: 'done', totals: { processed: ROWS, inserted: ROWS } });
  expect(device.shop.table.size).toBe(ROWS);
  expect(page.progresses[0]?.rows).toBeGreaterThanOrEqual(unfinished.rowsSent);
  // The 300 rows were 15 parts of 20 rows. The killed tab may not have known that the last few were stored.
  const knownParts = 10;
  expect(device.shop.requests - requests).toBeLessThanOrEqual(device.shop.parts.size - knownParts);
  expect(await tab.unfinished('ann')).toBeNull();
});

test('an import that is killed several times at random moments stores and counts every row once', async () => {
  console.log(`SEED=${SEED}`);
  for (let run = 0; run < 20; run++) {
    const random = seeded(SEED + run);
    const device = newDevice();
    const faults: readonly RequestFault[] = ['none', 'none', 'lost', 'unanswered', 'portal'];
    device.shop.nextFault = () => faults[Math.floor(random() * faults.length)] ?? 'none';
    let tab = await tabAfterKill(device, Math.floor(random() * 500));
    for (let kill = 0; kill < 3; kill++) {
      // After its end an import has no id here, and nothing is resumed.
      const importId = (await tab.unfinished('ann'))?.importId ?? '';
      const rows = device.shop.table.size + Math.floor(random() * 150);
      const killed = tab;
      await runUntilKilled(device, rows, (page) => killed.resume('ann', importId, null, page));
      tab = device.openTab();
    }
    const unfinished = await tab.unfinished('ann');
    if (unfinished) {
      const outcome = await tab.resume('ann', unfinished.importId, null, newPage());
      expect(outcome).toMatchObject({ kind: 'done', totals: { processed: ROWS, inserted: ROWS } });
    }
    expect(device.shop.table.size).toBe(ROWS);
    const parts = [...device.shop.parts.values()];
    expect(parts.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(ROWS);
    expect(parts.reduce((sum, part) => sum + part.updated + part.unchanged, 0)).toBe(0);
  }
});

test('a resumed import stores every row, though the shop was restored from a backup meanwhile', async () => {
  const device = newDevice();
  const { shop } = device;
  const tab = await tabAfterKill(device, 300);
  const unfinished = await unfinishedIn(tab);
  expect(unfinished.rowsSent).toBeGreaterThan(0);
  shop.table.clear();
  shop.parts.clear();
  const page = newPage();
  const outcome = await tab.resume('ann', unfinished.importId, null, page);
  expect(outcome).toMatchObject({ kind: 'done', totals: { processed: ROWS, inserted: ROWS } });
  expect(shop.table.size).toBe(ROWS);
  expect(shop.imports()).toEqual([{ import_id: unfinished.importId, state: 'finished' }]);
  expect(page.progresses.at(-1)?.rows).toBe(ROWS);
  expect(await tab.unfinished('ann')).toBeNull();
});

test('an import that was cancelled before the shop said whether it has ended can be resumed', async () => {
  const device = newDevice();
  const { importId } = await unfinishedIn(await tabAfterKill(device, 300));
  const tab = device.openTab({
    async askFinished() {
      tab.cancel();
      return { ok: false, failure: { kind: 'offline' } };
    },
  });
  expect(await tab.resume('ann', importId, null, newPage())).toEqual({ kind: 'cancelled' });
  const later = device.openTab();
  expect(await later.resume('ann', importId, null, newPage())).toMatchObject({ kind: 'done' });
  expect(await later.unfinished('ann')).toBeNull();
});

test('a tab that has resumed an import can still write the report of its rejected rows', async () => {
  const device = newDevice();
  const first = await tabWith(device, textFile(`${textWith('Wool')},M,Silk\n`));
  await runUntilKilled(device, 300, (page) => first.send('ann', page));
  const tab = device.openTab();
  const unfinished = await unfinishedIn(tab);
  expect(unfinished).toMatchObject({ rowsTotal: ROWS, leftOut: { rejected: 1 } });
  await tab.resume('ann', unfinished.importId, null, newPage());
  // The rejected row stands behind the headings and ROWS rows. It has no SKC.
  const line = ROWS + 2;
  expect(await (await tab.report()).text()).toContain(`\n,M,Silk,${line},Refused,SKC,`);
});

test('on a device without room for the file, the user chooses it again, and it must be the same', async () => {
  const device = newDevice();
  const tab = await tabAfterKill(device, 300, { hasRoomFor: async () => false });
  const { hasFile, importId: id } = await unfinishedIn(tab);
  expect(hasFile).toBe(false);
  expect(await tab.resume('ann', id, null, newPage())).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/products\.csv/),
  });
  const other = textFile(textWith('Silk'), 'products.csv');
  expect(other.size).toBe(FILE.size);
  expect(await tab.resume('ann', id, other, newPage())).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/not the file/),
  });
  const same = textFile(textWith('Wool'), 'another name.csv');
  expect(await tab.resume('ann', id, same, newPage())).toMatchObject({ kind: 'done' });
  expect(device.shop.table.size).toBe(ROWS);
});

test('a file that differs only in its middle is rejected when a part has other content', async () => {
  const device = newDevice();
  const tab = await tabAfterKill(device, 300, { hasRoomFor: async () => false });
  const { importId } = await unfinishedIn(tab);
  const job = await device.jobs.jobs.get(importId);
  const other = textFile(textWith('Silk'));
  // A fingerprint is of both ends of a file, so files that differ only in their middle have the same one.
  await device.jobs.jobs.put({ ...job!, fingerprint: await fingerprintOf(other) }); // `unfinished` found it
  const outcome = await tab.resume('ann', importId, other, newPage());
  expect(outcome).toEqual({ kind: 'failed', message: OTHER_CONTENT });
  // A request of the killed tab may arrive only now, so the number of parts may have grown.
  const texts = [...device.shop.parts.values()].map(({ csv }) => csv);
  expect(texts.some((csv) => csv.includes('Wool'))).toBe(true);
  expect(texts.some((csv) => csv.includes('Silk'))).toBe(false);
});

test('a shopper neither sees nor resumes another shopper’s import', async () => {
  const device = newDevice();
  const tab = await tabAfterKill(device, 300);
  expect(await tab.unfinished('bob')).toBeNull();
  const { importId: id } = await unfinishedIn(tab);
  const { requests } = device.shop;
  expect(await tab.resume('bob', id, FILE, newPage())).toMatchObject({ kind: 'failed' });
  expect(device.shop.requests).toBe(requests);
});

test('an import that was not resumed for two weeks is forgotten, with its file', async () => {
  const device = newDevice();
  const DAY_MS = 24 * 60 * 60 * 1000;
  await tabAfterKill(device, 300, { now: () => 100 * DAY_MS });
  const later = (days: number) => device.openTab({ now: () => (100 + days) * DAY_MS });
  expect(await later(13).unfinished('ann')).not.toBeNull();
  await later(13).forgetOld();
  expect(await later(13).unfinished('ann')).not.toBeNull();
  await later(15).forgetOld();
  expect(await later(13).unfinished('ann'), 'not only hidden from day 15 on').toBeNull();
  expect(await device.jobs.files.count()).toBe(0);
});

test('an import can be forgotten, with its file', async () => {
  const device = newDevice();
  const tab = await tabAfterKill(device, 300);
  await tab.forget((await unfinishedIn(tab)).importId);
  expect(await tab.unfinished('ann')).toBeNull();
  const counts = [device.jobs.jobs, device.jobs.files, device.jobs.parts].map((table) =>
    table.count(),
  );
  expect(await Promise.all(counts)).toEqual([0, 0, 0]);
});

test('a device whose storage is missing or full imports all the same', async () => {
  for (const storage of ['missing', 'full']) {
    const device = newDevice();
    if (storage === 'full') {
      const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
      for (const table of [device.jobs.jobs, device.jobs.files, device.jobs.parts]) {
        Object.assign(table, { put: full });
      }
    }
    const tools = storage === 'missing' ? { openJobs: async () => null } : {};
    const tab = await tabWith(device, FILE, tools);
    expect(await tab.send('ann', newPage())).toMatchObject({ totals: { inserted: ROWS } });
    expect(await tab.unfinished('ann')).toBeNull();
  }
});
