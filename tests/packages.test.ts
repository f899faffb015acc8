/** The packages that the specification demands are dependencies, and imported where they belong. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

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

test.each([
  ["import { a } from 'comlink'", true],
  ["import 'comlink'", true],
  ["export { a } from 'comlink/part'", true],
  ["await import('comlink')", true],
  ['await import(`comlink/part`)', true],
  ["import { type A, b } from 'comlink'", true],
  ["import type { A } from 'comlink'", false],
  ["import { type A } from 'comlink'", false],
  ["export type { A } from 'comlink'", false],
  ["type A = import('comlink').A", false],
  ["// import { a } from 'comlink'", false],
  ["import { a } from 'comlink-else'", false],
])('whether this counts as an import of comlink: %s', (code, counts) => {
  expect(importsOf('module.ts', code).some((target) => isIn(target, 'comlink'))).toBe(counts);
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

const importsByFile = new Map<string, readonly string[]>();

function importsOfFile(file: string): readonly string[] {
  const imports =
    importsByFile.get(file) ?? importsOf(file, readFileSync(join(ROOT, file), 'utf8'));
  importsByFile.set(file, imports);
  return imports;
}

/** Whether an import's target is a package or a file in it. */
function isIn(target: string, name: string): boolean {
  return target === name || target.startsWith(`${name}/`);
}

/** What a module imports when it runs, which excludes types. */
function importsOf(file: string, code: string): string[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(errors[0]?.message, { cause: file });
  const targets: string[] = [];
  new Visitor({
    ImportDeclaration({ importKind, specifiers, source }) {
      const isType =
        importKind === 'type' ||
        (specifiers.length > 0 &&
          specifiers.every(
            (specifier) => specifier.type === 'ImportSpecifier' && specifier.importKind === 'type',
          ));
      if (!isType) targets.push(source.value);
    },
    ExportNamedDeclaration({ exportKind, source }) {
      if (source && exportKind !== 'type') targets.push(source.value);
    },
    ExportAllDeclaration({ exportKind, source }) {
      if (exportKind !== 'type') targets.push(source.value);
    },
    ImportExpression({ source }) {
      if (source.type === 'Literal' && typeof source.value === 'string') targets.push(source.value);
      if (source.type === 'TemplateLiteral') targets.push(source.quasis[0]?.value.cooked ?? '');
    },
  }).visit(program);
  return targets;
}
