/** A device on which the real import worker runs: only the page, the network and the clock are fakes. */
import { randomUUID } from 'node:crypto';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { appendChanges, readState } from '../../src/db/catalogue-log.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import type { ProductRow } from '../../src/domain/product.ts';
import { type ImporterTools, openImporter } from '../../src/import/worker/importer.ts';
import type {
  FileCheck,
  Choice,
  ImportWorker,
  PageCallbacks,
  Progress,
  WaitReason,
} from '../../src/import/protocol.ts';
import { importCalls } from '../../src/remote/import-calls.ts';
import { END_OF_LOAD, storePages } from '../db/catalogue.ts';
import { DETECT_ALL } from './product-files.ts';
import { ShopInMemory } from './shop-in-memory.ts';

/** The device, its storage and the shop that it sends to. */
export interface Device {
  /** The database of the shop, with the catalogue. */
  readonly db: WeftDatabase;
  readonly shop: ShopInMemory;
  /** Pauses that the worker asked for, in milliseconds; no time passes. */
  readonly pauses: number[];
  /** Opens another tab, or a tab in place of a killed tab; tabs share only what is stored. */
  openTab(tools?: Partial<ImporterTools>): ImportWorker;
}

/** A device with an empty database. */
export function newDevice(): Device {
  const shop = new ShopInMemory();
  const db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
  const pauses: number[] = [];
  const tools: ImporterTools = {
    ...importCalls('https://shop.example', shop.fetch),
    random: () => 1, // each pause is the longest that chance allows
    newId: randomUUID,
    async pause(ms) {
      pauses.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
    async withCatalogue(task) {
      await task(db);
      return true;
    },
    limits: { chars: 2000, rows: 20 }, // of a part
  };
  return {
    db,
    shop,
    pauses,
    openTab: (others = {}) => openImporter({ ...tools, ...others }),
  };
}

/** Checks a file without listening to its progress; what is not chosen is detected. */
export function checkFile(tab: ImportWorker, file: File, choice: Partial<Choice> = {}) {
  return tab.check(file, { ...DETECT_ALL, ...choice }, () => undefined);
}

/** The check of a file. @throws where it cannot be read, or where the page would ask about its columns */
export async function checkOf(
  file: File,
  choice: Partial<Choice> = {},
  tab = newDevice().openTab(),
): Promise<FileCheck> {
  const outcome = await checkFile(tab, file, choice);
  if (outcome.kind !== 'checked') throw new Error(JSON.stringify(outcome));
  return outcome.check;
}

/** Opens a tab in which the file has been checked. */
export async function tabWith(device: Device, file: File, tools?: Partial<ImporterTools>) {
  const tab = device.openTab(tools);
  await checkOf(file, {}, tab);
  return tab;
}

/** The products that a shop has after it has imported this file. @throws where a row is rejected */
export async function tableAfterImport(file: File): Promise<ShopInMemory['table']> {
  const device = newDevice();
  const tab = device.openTab();
  const { rejected } = await checkOf(file, {}, tab);
  const { kind } = await tab.send(newPage());
  if (rejected > 0 || kind !== 'done') throw new Error(`${kind}, ${rejected} rows rejected`);
  return device.shop.table;
}

/** A page that notes what the worker tells it. */
interface TestPage extends PageCallbacks {
  readonly progresses: Progress[];
  /** What the worker said that it waits for; null each time it went on. */
  readonly waits: (WaitReason | null)[];
  /** When the imports that the worker continues were begun. */
  readonly continued: number[];
  /** The tokens that the page has given out, the newest last. */
  readonly tokens: string[];
}

/** A page whose shopper is signed in; each fresh token differs from the last. `others` replace its callbacks. */
export function newPage(others: Partial<PageCallbacks> = {}): TestPage {
  const progresses: Progress[] = [];
  const waits: (WaitReason | null)[] = [];
  const continued: number[] = [];
  const tokens = ['token 1'];
  const answer = async () => ({ ok: true, value: tokens.at(-1) ?? '' }) as const;
  return {
    progresses,
    waits,
    continued,
    tokens,
    token: answer,
    freshToken() {
      tokens.push(`token ${tokens.length + 1}`);
      return answer();
    },
    progress: (progress) => void progresses.push(progress),
    continuing: (startedAt) => void continued.push(startedAt),
    confirmRange: async () => true,
    waiting: (reason) => void waits.push(reason),
    ...others,
  };
}

/** How a catalogue came to a device. */
interface Stocking {
  /** Products and ids of deleted products that come as changes after the first load. */
  readonly changed?: readonly ProductRow[];
  readonly removed?: readonly number[];
  /** Whether the first load has ended. */
  readonly isWhole?: boolean;
}

/** A device with products, put there as the catalogue's sync would. */
export async function deviceWith(
  rows: readonly ProductRow[],
  { changed = [], removed = [], isWhole = true }: Stocking = {},
): Promise<Device> {
  const device = newDevice();
  const { db } = device;
  await storePages(db, 1, isWhole ? [rows, END_OF_LOAD] : [rows]);
  const version = (await readState(db))?.version;
  if (version) await appendChanges(db, version, { rows: changed, removed }, { ver: 2, stamp: '2' });
  return device;
}
