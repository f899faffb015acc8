/** The packages that the specification demands are dependencies, and imported where they belong. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** The packages that the shop's specification demands in the shipped code. */
const SHIPPED = [
  'react',
  'react-dom',
  'react-router-dom',
  '@supabase/supabase-js',
  'dexie',
  'dexie-react-hooks',
  'workbox-window',
  '@stripe/stripe-js',
  '@paypal/react-paypal-js',
  'papaparse',
  'comlink',
  'fake-indexeddb',
];

test.each(SHIPPED)('%s is a dependency of the shop, and code that ships imports it', (name) => {
  expect(manifest().dependencies).toHaveProperty([name]);
  expect(importersOf(name, '{src,sw}/**/*.{ts,tsx}')).not.toEqual([]);
});

test('vite-plugin-pwa builds the shop, and vitest tests it', () => {
  expect(manifest().devDependencies).toHaveProperty(['vite-plugin-pwa']);
  expect(importersOf('vite-plugin-pwa', 'vite.config.ts')).toEqual(['vite.config.ts']);
  expect(manifest().devDependencies).toHaveProperty(['vitest']);
  expect(importersOf('vitest', 'tests/**/*.test.ts').length).toBeGreaterThan(50);
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
