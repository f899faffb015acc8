/** The packages that the specification demands are dependencies, and imported where they belong. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const IMPORT =
  /^(?:import|export) (?!type)[^;']*? from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

/** The packages that the specification demands, the duty of each, and the files that do it. */
const DUTIES: readonly (readonly [name: string, duty: string, ...files: string[]])[] = [
  ['react', 'draws every screen', 'src/catalogue/grid.tsx', 'src/checkout/page.tsx'],
  ['react-dom', 'puts the screens into the document', 'src/main.tsx'],
  [
    'react-router-dom',
    'gives every screen its address',
    'src/shell/screens.tsx',
    'src/shell/app.tsx',
  ],
  [
    '@supabase/supabase-js',
    'keeps accounts, and hears of changes on other devices',
    'src/remote/auth/client.ts',
    'src/remote/invalidation.ts',
  ],
  ['dexie', 'stores everything', 'src/db/database.ts'],
  ['dexie-react-hooks', 'reads what later screens list', 'src/checkout/queries.ts'],
  ['workbox-window', 'finds new versions', 'src/pwa/versions.ts'],
  ['vite-plugin-pwa', 'builds the service worker and the manifest', 'vite.config.ts'],
  ['@stripe/stripe-js', 'looks for signs of fraud at the checkout', 'src/checkout/pay/card.ts'],
  ['@paypal/react-paypal-js', 'opens the wallet', 'src/checkout/pay/paypal-wallet.tsx'],
  ['papaparse', 'reads the records of every file', 'src/csv/records.ts'],
  [
    'comlink',
    'talks to the worker of an import',
    'src/import/client.ts',
    'src/import/worker/worker.ts',
  ],
  ['fake-indexeddb', 'is the memory of a browser that stores nothing', 'src/db/open.ts'],
  ['vitest', 'runs the tests', 'tests/packages.test.ts'],
];

test('the shop has fourteen packages with a duty', () => {
  expect(new Set(DUTIES.map(([name]) => name)).size).toBe(14);
});

test.each(DUTIES)('%s %s', (name, _duty, ...files) => {
  const { dependencies, devDependencies } = manifest();
  expect({ ...dependencies, ...devDependencies }).toHaveProperty([name]);
  expect(files.filter((file) => !importsOfFile(file).some((target) => isIn(target, name)))).toEqual(
    [],
  );
});

test('what the shop ships is no development dependency', () => {
  const shipped = DUTIES.filter(([, , file]) => file?.startsWith('src/')).map(([name]) => name);
  expect(Object.keys(manifest().dependencies)).toEqual(expect.arrayContaining(shipped));
});

test('valibot validates on the server, and stays out of the shop’s pages', () => {
  expect(manifest().dependencies).toHaveProperty(['valibot']);
  expect(importersOf('valibot', 'netlify/{lib,functions}/**/*.ts')).not.toEqual([]);
  expect(importersOf('valibot', '{src,sw}/**/*.{ts,tsx}')).toEqual([]);
});

test('screens follow tables in the queries of their folder and nowhere else', () => {
  const others = importersOf('dexie-react-hooks', '{src,sw}/**/*.{ts,tsx}').filter(
    (file) => !file.endsWith('/queries.ts'),
  );
  expect(others).toEqual([]);
});

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
}

function importersOf(name: string, pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT })
    .filter((file) => importsOfFile(file).some((target) => isIn(target, name)))
    .sort();
}

/** What a module imports when it runs, which excludes types. */
function importsOfFile(file: string): string[] {
  const code = readFileSync(join(ROOT, file), 'utf8');
  return [...code.matchAll(IMPORT)].map(([, from, alone, later]) => from ?? alone ?? later ?? '');
}

/** Whether an import's target is a package or a file in it. */
function isIn(target: string, name: string): boolean {
  return target === name || target.startsWith(`${name}/`);
}
