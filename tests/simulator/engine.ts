/** Loads the product's page code from `src`, or from a copy of it with a deliberate bug. */
import { join } from 'node:path';
import { bundlePage, type StartPage } from './page-bundle.ts';

export const PROJECT = join(import.meta.dirname, '../..');

export interface Engine {
  readonly startPage: StartPage;
}

/** @param project folder that holds `src` */
export async function loadEngine(project = PROJECT): Promise<Engine> {
  return { startPage: await bundlePage(project) };
}
