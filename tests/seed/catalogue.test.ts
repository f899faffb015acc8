import { readdirSync, readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const csv = read('supabase/seed/catalogue.csv');
const { data: rows, errors } = Papa.parse<Record<string, string>>(csv, {
  header: true,
  skipEmptyLines: true,
});
const column = (name: (typeof IMPORT_COLUMNS)[number]): string[] =>
  rows.map((row) => row[name] ?? '');
const pictures = new Map(
  readdirSync(new URL('public/pictures/', root)).map((name) => [
    name,
    read(`public/pictures/${name}`),
  ]),
);

/** Whether every element that opens closes again, in order, and every quote and `&` is sound. */
function isWellFormed(xml: string): boolean {
  const open: string[] = [];
  const rest = xml.replaceAll(
    /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<&]*")*)\s*(\/?)>/g,
    (_, end, name, __, empty) => {
      if (end === '/') return open.pop() === name ? '' : '<';
      if (empty !== '/') open.push(name);
      return '';
    },
  );
  return open.length === 0 && !/[<>&]/.test(rest);
}

test('the catalogue has the product’s own columns and enough in it to look like a shop', () => {
  expect(csv.split('\n', 1)[0]).toBe(IMPORT_COLUMNS.join(','));
  expect(csv).not.toMatch(/\r|\uFEFF/);
  expect(errors).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(240);
  expect(new Set(column('Images link')).size).toBeGreaterThan(90);
  expect(column('SKC').every((code) => /^WF-\d{4}-[A-Z]{3}$/.test(code))).toBe(true);
});

test('no stock code is in the catalogue twice in one size, and some come in several', () => {
  const keys = rows.map((row) => `${row['SKC']} ${row['Size']}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(column('SKC')).size).toBeLessThan(rows.length);
});

test('every picture that a product names is there', () => {
  const named = column('Images link').filter((link) => link !== '');
  expect(named.filter((link) => !pictures.has(link.replace('/pictures/', '')))).toEqual([]);
});

test('a price is dollars and cents, or missing on a few products only', () => {
  const prices = column('Retail Price');
  expect(prices.filter((price) => price !== '' && !/^[1-9]\d{1,2}\.00$/.test(price))).toEqual([]);
  const missing = (name: (typeof IMPORT_COLUMNS)[number]): number =>
    column(name).filter((text) => text === '').length;
  expect([
    missing('Retail Price'),
    missing('Size'),
    missing('Images link'),
    missing('Category 1'),
  ]).toEqual([3, 3, 3, 1]);
});

test('the row of category chips stays short enough to read', () => {
  const names = (['Category 1', 'Category 2', 'Category 3', 'Category 4'] as const).flatMap(column);
  const chips = new Set(names.filter((name) => name !== ''));
  expect(chips.size).toBeGreaterThanOrEqual(28);
  expect(chips.size).toBeLessThanOrEqual(36);
});

test('neighbours on the first page are different garments', () => {
  const first = column('Images link').slice(0, 24);
  const kinds = first.map((link) => link.replace('/pictures/', '').split('-')[0]);
  expect(kinds.filter((kind, at) => kind === kinds[at - 1])).toEqual([]);
});

test('each picture is a small, sound, self-contained drawing with its size on it', () => {
  for (const [name, svg] of pictures) {
    expect(Buffer.byteLength(svg), name).toBeLessThan(8192);
    expect(isWellFormed(svg), name).toBe(true);
    expect(svg, name).toContain('width="400" height="500" viewBox="0 0 400 500"');
    expect(svg, name).not.toMatch(
      /<(script|text|image|filter|foreignObject)|NaN|undefined|href="[^#]/,
    );
    const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size, name).toBe(ids.length);
    const used = [...svg.matchAll(/(?:href="#|url\(#)([^")]+)/g)].map(([, id]) => id);
    expect(
      used.filter((id) => !ids.includes(id)),
      name,
    ).toEqual([]);
  }
});
