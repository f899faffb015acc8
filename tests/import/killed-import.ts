/** Runs one import of 20,000 rows through the page, with the faults that a seed draws. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { openLine } from '../browser/proxy.ts';
import { Chance } from '../model/kit/chance.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { SHOPKEEPER, type Stage } from './import-stage.ts';
import { ImportTab, type FinalWords } from './import-tab.ts';
import { ShopProcess } from './shop-process.ts';
import { type StoredImport, readStoredImport } from './stored-import.ts';
import { drawFaults, InterruptedImport } from './interrupted-import.ts';

/** A run that takes longer counts as hanging. */
const RUN_TIMEOUT_MS = 240_000;

/** The outcome of one import. */
export interface RunResult {
  /** Null when the import ended while no page was open. */
  readonly finalWords: FinalWords | null;
  /** The counts that the page shows of the last import after a reload. */
  readonly lastImport: string;
  readonly stored: StoredImport;
  /** What the page says of undoing the import, and what is stored then. */
  readonly undoWords: string;
  readonly undone: StoredImport;
  /** Faults, and how the page went on, by name. */
  readonly counts: ReadonlyMap<string, number>;
  /** What shop and page printed as errors. */
  readonly errorLines: readonly string[];
  /** How long the run took. */
  readonly ms: number;
}

/** Runs one import. @param seed null for a clean run, without faults */
export async function runImport(
  stage: Stage,
  seed: number | null,
  log: (line: string) => void,
): Promise<RunResult> {
  const startedMs = performance.now();
  await using folder = await temporaryFolder();
  const dataFolder = join(folder.path, 'shop');
  await cp(stage.dataFolder, dataFolder, { recursive: true });
  const shop = new ShopProcess(dataFolder, stage.siteFolder);
  await shop.open();
  const line = await openLine(shop.url);
  // Before the tab opens a connection, because only later ones are watched.
  const uploads = line.addFaults({ url: /^\/\.netlify\/functions\/upload-csv/ });
  const tab = await ImportTab.open(stage.browser, line.url, SHOPKEEPER);
  const logWithTime = (line: string) =>
    log(`${String(Math.round(performance.now() - startedMs)).padStart(7)} ms  ${line}`);
  const interrupted = new InterruptedImport(stage.file, shop, line, uploads, tab, logWithTime);
  try {
    const faults = seed === null ? [] : drawFaults(new Chance(seed));
    const finalWords = await withTimeout(RUN_TIMEOUT_MS, interrupted.run(faults), async () => {
      const page = await tab.text().catch(String);
      return new Error(`The import does not end. The page says:\n${page}`);
    });
    const lastImport = await tab.lastImport();
    // Only one process can open the folder.
    await shop.kill();
    const stored = await readStoredImport(dataFolder);
    await shop.open();
    const undoWords = await tab.undo();
    await shop.kill();
    const undone = await readStoredImport(dataFolder);
    const errorLines = [...shop.errorLines, ...tab.errorLines.flat()];
    const { counts } = interrupted;
    const ms = performance.now() - startedMs;
    return { finalWords, lastImport, stored, undoWords, undone, counts, errorLines, ms };
  } finally {
    await tab.close().catch(() => undefined);
    await line.close();
    await shop.kill();
  }
}

/**
 * Says in which ways an interrupted run differs from the clean one; none for equal runs.
 *
 * @param productsBefore those of the shop before the import, which the undo must bring back
 */
export function differences(
  clean: RunResult,
  interrupted: RunResult,
  productsBefore: StoredImport['products'],
): string[] {
  const differing: string[] = [];
  const compare = (name: string, a: string | undefined, b: string | undefined) => {
    if (a !== b) differing.push(`${name}: clean ${a}, interrupted ${b}`);
  };
  if (interrupted.finalWords) {
    compare('the page says', clean.finalWords?.status, interrupted.finalWords.status);
    compare('its counts', clean.finalWords?.totals, interrupted.finalWords.totals);
  }
  compare('the last import', clean.lastImport, interrupted.lastImport);
  compare('undoing', clean.undoWords, interrupted.undoWords);
  const compareStored = (when: string, expected: StoredImport, actual: StoredImport) => {
    compare(`imports ${when}`, expected.imports.join('\n'), actual.imports.join('\n'));
    compare(`products ${when}`, String(expected.products.length), String(actual.products.length));
    const first = expected.products.findIndex((line, i) => line !== actual.products[i]);
    if (first >= 0) {
      compare(`product ${first} ${when}`, expected.products[first], actual.products[first]);
    }
  };
  compareStored('after the import', clean.stored, interrupted.stored);
  const { imports } = clean.undone;
  compareStored('after the undo', { imports, products: productsBefore }, interrupted.undone);
  return differing;
}

/** Rejects with the error of `explain` when the run takes longer. */
async function withTimeout<T>(
  ms: number,
  run: Promise<T>,
  explain: () => Promise<Error>,
): Promise<T> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => void explain().then(timer.reject), ms);
  try {
    return await Promise.race([run, timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}
