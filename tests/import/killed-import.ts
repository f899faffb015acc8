/** One import of 20,000 rows through the page, killed as its seed says, and what is left of it. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { Chance } from '../model/kit/chance.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { drawFaults } from './fault-plan.ts';
import { SHOPKEEPER, type Stage } from './import-stage.ts';
import { ImportTab, type Said } from './import-tab.ts';
import { ShopProcess } from './shop-process.ts';
import { type StoredImport, storedImport } from './stored-import.ts';
import { StruckImport } from './struck-import.ts';
import { WatchedLine } from './watched-line.ts';

/** A run that takes longer hangs. */
const MOST_MS = 240_000;

export interface Ended {
  /** Null when the tab died between the end of the import and the words about it. */
  readonly said: Said | null;
  readonly lastImport: string;
  readonly stored: StoredImport;
  /** Deaths and how the page went on, by name. */
  readonly counts: ReadonlyMap<string, number>;
  readonly complaints: readonly string[];
  readonly ms: number;
}

/** @param seed null for a clean run */
export async function runImport(
  stage: Stage,
  seed: number | null,
  log: (line: string) => void,
): Promise<Ended> {
  const began = performance.now();
  await using folder = await temporaryFolder();
  const dataFolder = join(folder.path, 'shop');
  await cp(stage.dataFolder, dataFolder, { recursive: true });
  const shop = new ShopProcess(dataFolder, stage.siteFolder);
  await shop.open();
  const line = new WatchedLine(() => Number(new URL(shop.url).port));
  await line.open();
  const tab = await ImportTab.open(stage.browser, line.url, SHOPKEEPER);
  const tell = (words: string) =>
    log(`${String(Math.round(performance.now() - began)).padStart(7)} ms  ${words}`);
  const run = new StruckImport(stage.file, shop, line, tab, tell);
  try {
    const faults = seed === null ? [] : drawFaults(new Chance(seed));
    const said = await within(MOST_MS, run.through(faults), async () => {
      const page = await tab.text().catch(String);
      return new Error(`The import does not end. The page says:\n${page}`);
    });
    const lastImport = await tab.lastImport();
    await shop.kill();
    const complaints = [...shop.complaints, ...tab.complaints.flat()];
    const stored = await storedImport(dataFolder);
    const ms = performance.now() - began;
    return { said, lastImport, stored, counts: run.counts, complaints, ms };
  } finally {
    await tab.close().catch(() => undefined);
    await line.close();
    await shop.kill();
  }
}

/** @returns what differs, in words; nothing for equal runs */
export function differences(clean: Ended, run: Ended): string[] {
  const found: string[] = [];
  const compare = (what: string, a: string | undefined, b: string | undefined) => {
    if (a !== b) found.push(`${what}: clean ${a}, killed ${b}`);
  };
  if (run.said) {
    compare('the page says', clean.said?.status, run.said.status);
    compare('its counts', clean.said?.totals, run.said.totals);
  }
  compare('the last import', clean.lastImport, run.lastImport);
  const [before, after] = [clean.stored, run.stored];
  compare('imports kept', before.imports.join('\n'), after.imports.join('\n'));
  compare('products', String(before.products.length), String(after.products.length));
  const at = before.products.findIndex((line, i) => line !== after.products[i]);
  if (at >= 0) compare(`product ${at}`, before.products[at], after.products[at]);
  return found;
}

async function within<T>(ms: number, work: Promise<T>, late: () => Promise<Error>): Promise<T> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => void late().then(timer.reject), ms);
  try {
    return await Promise.race([work, timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}
