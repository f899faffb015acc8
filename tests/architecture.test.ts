/** Which folder may import which, and that no files import each other in a circle. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** The folders from which each folder may import; all others are forbidden. README.md has a summary. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [],
  'src/csv': ['src/domain'],
  'src/browser': ['src/domain'],
  'src/ui': ['src/browser', 'src/domain'],
  'src/db': ['src/browser', 'src/csv', 'src/domain'],
  'src/remote': ['src/browser', 'src/domain'],
  'src/sync': ['src/browser', 'src/db', 'src/remote', 'src/domain'],
  'src/favourites': ['src/db', 'src/domain', 'src/ui'],
  'src/cart': ['src/db', 'src/domain', 'src/ui'],
  'src/catalogue': ['src/browser', 'src/favourites', 'src/cart', 'src/db', 'src/domain', 'src/ui'],
  'src/product': ['src/catalogue', 'src/favourites', 'src/cart', 'src/db', 'src/domain', 'src/ui'],
  'src/checkout': ['src/cart', 'src/browser', 'src/db', 'src/remote', 'src/domain', 'src/ui'],
  'src/account': ['src/browser', 'src/db', 'src/remote', 'src/domain', 'src/ui'],
  'src/import': [
    'src/account',
    'src/browser',
    'src/catalogue',
    'src/csv',
    'src/db',
    'src/remote',
    'src/domain',
    'src/ui',
  ],
  'src/staff': [
    'src/account',
    'src/browser',
    'src/catalogue',
    'src/db',
    'src/remote',
    'src/domain',
    'src/ui',
  ],
  'src/pwa': ['src/browser', 'src/cart', 'src/db', 'src/domain', 'src/ui'],
  // The build draws what is shown before React, so this folder imports the screens.
  'src/first-visit': [
    'src/browser',
    'src/remote',
    'src/db',
    'src/favourites',
    'src/cart',
    'src/catalogue',
    'src/product',
    'src/account',
    'src/shell',
    'src/pwa',
    'src/domain',
    'src/ui',
    'src',
  ],
  'src/shell': [
    'src/browser',
    'src/first-visit',
    'src/db',
    'src/favourites',
    'src/cart',
    'src/catalogue',
    'src/product',
    'src/checkout',
    'src/account',
    'src/import',
    'src/staff',
    'src/domain',
    'src/ui',
  ],
  // main.tsx and services.ts start everything.
  src: [
    'src/browser',
    'src/db',
    'src/remote',
    'src/sync',
    'src/account',
    'src/first-visit',
    'src/shell',
    'src/pwa',
    'src/ui',
  ],
  sw: ['src/domain', 'src/db', 'src/sync', 'src/remote'],
  'netlify/functions': ['netlify/lib', 'src/csv', 'src/domain'],
  'netlify/build': ['netlify/lib', 'src/domain'],
  'netlify/lib': ['src/csv', 'src/domain'],
  'netlify/local': [
    'netlify/build',
    'netlify/lib',
    'netlify/functions',
    'supabase/local',
    'src/domain',
  ],
  'netlify/doctor': ['netlify/build', 'netlify/lib', 'src/remote', 'src/domain'],
  'supabase/local': ['src/csv', 'src/domain'],
};

const SOURCES = globSync(['{src,sw,netlify,supabase}/**/*.{ts,tsx}'], { cwd: ROOT }).sort();
const TESTS = globSync(['tests/**/*.{ts,tsx}'], { cwd: ROOT }).sort();
const ALL = new Set([...SOURCES, ...TESTS]);
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;

test('every file imports only from the folders it may import from', () => {
  const violations: string[] = [];
  let importCount = 0;
  for (const file of SOURCES) {
    const folder = ruleFolderOf(file);
    const allowed = MAY_IMPORT[folder];
    if (!allowed) violations.push(`${file}: no rule for the folder ${folder}`);
    for (const target of importsOf(file)) {
      importCount += 1;
      const other = ruleFolderOf(target);
      if (other !== folder && !allowed?.includes(other))
        violations.push(`${file} imports ${target}`);
    }
  }
  expect(violations).toEqual([]);
  expect(importCount, 'the test found the imports').toBeGreaterThan(50);
});

/** The modules of screens that may import values from `remote`, besides `queries.ts` and `mutations.ts`. */
const REMOTE_IMPORTERS = new Set([
  'src/account/auth.ts',
  'src/import/worker/requests.ts',
  'src/import/worker/send.ts',
  'src/import/worker/worker.ts',
  'src/services.ts',
]);

test('screens reach the backend only through their queries and mutations, and a few named modules', () => {
  const importers = SOURCES.filter(
    (file) => file.startsWith('src/') && !/^src\/(remote|sync)\//.test(file),
  )
    .filter((file) => /^import (?!type)[^;]*'(\.\.?\/)+remote\//m.test(read(file)))
    .filter((file) => !/\/(queries|mutations)\.ts$/.test(file));
  expect(new Set(importers)).toEqual(REMOTE_IMPORTERS);
});

/** Exported twice with one meaning: by two layers, by page and server, or by both payment emulators. */
const SAME_MEANING = [
  'answerApi',
  'answerPage',
  'config', // of each function, for Netlify
  'deleteAccount',
  'dismissRejected',
  'disputeObject',
  'refundObject',
  'siteUrl',
];
const EXPORT = /^export (?:abstract |async )*(?:class|const|function|interface|type) (\w+)/gm;

test('an exported name has one meaning in all that is no test', () => {
  // A set, because an overloaded function is declared several times.
  const namesIn = (file: string) =>
    new Set([...read(file).matchAll(EXPORT)].map(([, name]) => name));
  const names = SOURCES.flatMap((file) => [...namesIn(file)]);
  const repeated = names.filter((name, i) => names.indexOf(name) < i);
  expect(new Set(repeated)).toEqual(new Set(SAME_MEANING));
});

test('no files import each other in a circle, by types and `import()` included', () => {
  const visited = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    if (visited.has(file)) return;
    for (const target of importsOf(file).filter((imported) => ALL.has(imported)))
      visit(target, [...path, file]);
    visited.add(file);
  };
  for (const file of ALL) visit(file, []);
  expect(circles).toEqual([]);
});

function importsOf(file: string): string[] {
  return [...read(file).matchAll(IMPORT)].map(([, target = '']) => join(dirname(file), target));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The folder whose rule a file follows, such as `src/cart`, or `src` where no rule names a deeper one. */
function ruleFolderOf(file: string): string {
  const parts = file.split('/');
  const folder = parts.slice(0, 2).join('/');
  return parts.length > 2 && folder in MAY_IMPORT ? folder : (parts[0] ?? '');
}
