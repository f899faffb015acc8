/**
 * `npm run bench -- <name>`: runs one bench, or `all`.
 *
 * It exits with 0, with 1 when a limit is missed, and with 2 when there is no such bench.
 */
import { type Figure, report } from './report.ts';

type Bench = () => Promise<readonly Figure[]>;

const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  'catalogue-store': async () => (await import('./catalogue-store.ts')).measureCatalogueStore,
  'catalogue-sync': async () => (await import('./catalogue-sync.ts')).measureCatalogueSync,
  scale: async () => (await import('./scale.ts')).measureScale,
  start: async () => (await import('./start.ts')).measureStart,
  tap: async () => (await import('./tap.ts')).measureTap,
  bytes: async () => (await import('./bytes.ts')).measureBytes,
  shoppers: async () => (await import('./shoppers.ts')).measureShoppers,
  import: async () => (await import('./import.ts')).measureImport,
  interaction: async () => (await import('./interaction.ts')).measureInteraction,
  lighthouse: async () => (await import('./lighthouse.ts')).measureLighthouse,
};

/** Runs a bench, or all. Returns whether every limit is kept. */
async function run(requested: string): Promise<boolean> {
  const names = requested === 'all' ? Object.keys(BENCHES) : [requested];
  const all: Figure[] = [];
  for (const name of names) {
    const measure = await BENCHES[name]!(); // the caller has checked the name
    const figures = await measure();
    report(name, figures);
    all.push(...figures.map((figure) => ({ ...figure, name: `${name}: ${figure.name}` })));
  }
  return names.length === 1 ? all.every(({ ok }) => ok) : report('all', all);
}

const [requested = ''] = process.argv.slice(2);
if (requested === 'all' || Object.hasOwn(BENCHES, requested)) {
  // `process.exit` would drop output that is not printed yet.
  process.exitCode = (await run(requested)) ? 0 : 1;
} else {
  const problem = requested === '' ? 'Say which bench.' : `There is no bench named "${requested}".`;
  console.error(`${problem} There are: ${[...Object.keys(BENCHES), 'all'].join(', ')}.`);
  process.exitCode = 2;
}
