/** Prepares the soak of interrupted imports: a shop with products in it, and a file to import. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBackend } from '../../supabase/local/backend.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { freshDatabase } from '../supabase/shop.ts';
import { overlappingFile, productsBefore } from './overlapping-file.ts';
import { readStoredImport, type StoredImport } from './stored-import.ts';

/** The account that imports. */
export const SHOPKEEPER = { email: 'keeper@weft.test', password: 'loom-and-thread' };
const FILE_NAME = 'autumn.csv';

/** What all runs share. */
export interface Stage {
  readonly browser: Browser;
  readonly siteFolder: string;
  /** The shop's data before the import; each run gets a copy. */
  readonly dataFolder: string;
  /** The products in it. */
  readonly productsBefore: StoredImport['products'];
  /** The path of the file to import. */
  readonly file: string;
}

/** Prepares the shop's data and the file in an empty folder. */
export async function prepareStage(
  folder: string,
  browser: Browser,
  siteFolder: string,
): Promise<Stage> {
  const dataFolder = join(folder, 'shop');
  const file = join(folder, FILE_NAME);
  await writeFile(file, overlappingFile());
  const image = await freshDatabase();
  const backend = await openBackend({ dataFolder, log: () => undefined, image });
  await backend.addAccount(SHOPKEEPER);
  await importRows(backend, productsBefore(), 'spring.csv');
  await backend.close();
  const { products } = await readStoredImport(dataFolder);
  return { browser, siteFolder, dataFolder, productsBefore: products, file };
}
