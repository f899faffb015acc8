/**
 * `npm run seed`            loads the sample catalogue into an empty shop
 * `npm run seed -- 10000`   then adds that many generated products too, for measuring
 */
import { openBackend } from './backend.ts';
import { defaultDataFolder } from './data-folder.ts';
import { PlainFailure } from './failures.ts';
import { generateProducts } from './generate.ts';
import { importRows, loadSampleCatalogue } from './sample.ts';
import { runScript } from './script.ts';

const MAX_PRODUCTS = 1_000_000;

async function seed(): Promise<void> {
  const [wanted] = process.argv.slice(2);
  const count = Number(wanted ?? 0);
  if (!Number.isInteger(count) || count < 0 || count > MAX_PRODUCTS) {
    throw new PlainFailure(
      `Say how many products to add, from 1 to 1,000,000: npm run seed -- 10000 (not "${wanted}").`,
    );
  }
  const backend = await openBackend({ dataFolder: defaultDataFolder(), log: console.log });
  try {
    const loaded = await loadSampleCatalogue(backend);
    if (loaded > 0) console.log(`Loaded the sample catalogue: ${loaded} products.`);
    if (count > 0) {
      const { inserted, updated, unchanged } = await importRows(
        backend,
        generateProducts(count),
        'generated products',
      );
      console.log(
        `Generated products: ${inserted} new, ${updated} changed, ${unchanged} unchanged.`,
      );
    }
    const [total] = await backend.query('select count(*)::text as count from public.products');
    console.log(`The shop now has ${String(total?.['count'])} products.`);
  } finally {
    await backend.close();
  }
}

if (import.meta.main) await runScript(seed);
