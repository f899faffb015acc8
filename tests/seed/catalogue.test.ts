/** The sample catalogue, with which a new shop opens. */
import { readdirSync, readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { nameOf } from '../../src/domain/product.ts';

const root = new URL('../../', import.meta.url);
const csv = readFileSync(new URL('supabase/seed/catalogue.csv', root), 'utf8');
const { data: rows, errors } = Papa.parse<Record<string, string>>(csv, {
  header: true,
  skipEmptyLines: true,
});
const column = (name: (typeof IMPORT_COLUMNS)[number]): string[] =>
  rows.map((row) => row[name] ?? '');
const pictures = new Set(readdirSync(new URL('public/pictures/', root)));

test('the sample catalogue has the columns of a product file, and enough products to look like a shop', () => {
  expect(csv.split('\n', 1)[0]).toBe(IMPORT_COLUMNS.join(','));
  expect(csv).not.toMatch(/\r|\uFEFF/);
  expect(errors).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(240);
  expect(new Set(column('Images link')).size).toBeGreaterThan(90);
  expect(column('SKC').every((code) => /^WF-\d{4}-[A-Z]{3}$/.test(code))).toBe(true);
});

test('the sample catalogue has no product twice, and some products in several sizes', () => {
  const keys = rows.map((row) => `${row['SKC']} ${row['Size']}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(column('SKC')).size).toBeLessThan(rows.length);
});

test('every picture that a sample product names exists', () => {
  const links = column('Images link').filter((link) => link !== '');
  expect(links.filter((link) => !pictures.has(link.replace('/pictures/', '')))).toEqual([]);
});

test('no two sample products have the same name, so no name needs the stock code', () => {
  const names = rows.map((row) =>
    nameOf({
      title: row['Category 1'] || 'Untitled',
      material: row['Material'] || null,
      size: row['Size'] ?? '',
    }),
  );
  expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([]);
  expect(names).toContain('Oxford shirt, Woad blue cotton oxford, size S');
});
