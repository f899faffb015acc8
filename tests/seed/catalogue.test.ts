/** The sample catalogue and its pictures, with which a new shop opens. */
import { readdirSync, readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { FIRST_PAGE_ROWS } from '../../src/domain/catalogue-chunk.ts';
import { nameOf } from '../../src/domain/product.ts';

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

/** Whether elements are nested correctly, attributes are quoted, and no other `<`, `>` or `&` is left. */
function isWellFormed(xml: string): boolean {
  const open: string[] = [];
  const leftover = xml.replaceAll(
    /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<&]*")*)\s*(\/?)>/g,
    (_tag, closingSlash, name, _attributes, selfClosingSlash) => {
      // The `<` is left over, which makes the check below fail.
      if (closingSlash === '/') return open.pop() === name ? '' : '<';
      if (selfClosingSlash !== '/') open.push(name);
      return '';
    },
  );
  return open.length === 0 && !/[<>&]/.test(leftover);
}

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

test('a sample price is in whole dollars, and few sample products lack a price, size, picture or category', () => {
  const prices = column('Retail Price');
  expect(prices.filter((price) => price !== '' && !/^[1-9]\d{1,2}\.00$/.test(price))).toEqual([]);
  const countMissing = (name: (typeof IMPORT_COLUMNS)[number]): number =>
    column(name).filter((text) => text === '').length;
  for (const name of ['Retail Price', 'Size', 'Images link', 'Category 1'] as const) {
    // At least one, so that the shop shows what such a product looks like.
    expect(countMissing(name), name).toBeGreaterThan(0);
    expect(countMissing(name), name).toBeLessThanOrEqual(3);
  }
});

test('the sample catalogue has enough categories to look like a shop, and few enough for a readable row of chips', () => {
  const names = (['Category 1', 'Category 2', 'Category 3', 'Category 4'] as const).flatMap(column);
  const chips = new Set(names.filter((name) => name !== ''));
  expect(chips.size).toBeGreaterThanOrEqual(28);
  expect(chips.size).toBeLessThanOrEqual(45);
});

/** Colours by the last three letters of a stock code. The name of a picture ends with one word of the colour. */
const COLOURS = {
  ASH: 'Ash',
  ECR: 'Ecru',
  IND: 'Indigo',
  IRN: 'Iron grey',
  MAD: 'Madder red',
  MOS: 'Moss',
  OAT: 'Oat',
  WAL: 'Walnut',
  WEL: 'Weld yellow',
  WOA: 'Woad blue',
};

test('the material of each sample product begins with the colour that its stock code and picture name', () => {
  for (const row of rows) {
    const [, colourCode = ''] = /-([A-Z]{3})$/.exec(row['SKC'] ?? '') ?? [];
    const colour = COLOURS[colourCode as keyof typeof COLOURS]; // an unknown code fails below
    expect(row['Material'], row['SKC']).toMatch(new RegExp(`^${colour} \\w`));
    const picture = row['Images link'] ?? '';
    const [colourWord = ''] = /[a-z]+(?=\.svg$)/.exec(picture) ?? [];
    if (picture !== '') expect(colour.toLowerCase(), picture).toContain(colourWord);
  }
});

test('no two sample products have the same name, so none shows its stock code in it', () => {
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

test('the first category is the kind of garment that the picture shows', () => {
  const kinds = [
    [/coat-duffle/, 'Duffle coat'],
    [/coat-pea/, 'Pea coat'],
    [/coat-mac/, 'Mac'],
    [/cap-bucket/, 'Bucket hat'],
    [/cap-watch/, 'Beanie'],
    [/dress-slip/, 'Slip dress'],
    [/tee-tank/, 'Tank top'],
    [/jumper-vest/, 'Knitted vest'],
  ] as const;
  for (const [picture, kind] of kinds) {
    const shown = rows.filter((row) => picture.test(row['Images link'] ?? ''));
    const named = new Set(shown.map((row) => row['Category 1']).filter((name) => name !== ''));
    expect([...named], String(picture)).toEqual([kind]);
  }
});

test('neighbours on the first page of the sample catalogue are different garments', () => {
  const firstPage = column('Images link').slice(0, FIRST_PAGE_ROWS);
  const kinds = firstPage.map((link) => link.replace('/pictures/', '').split('-')[0]);
  expect(kinds.filter((kind, i) => kind === kinds[i - 1])).toEqual([]);
});

test('each sample picture is a small, well-formed, self-contained SVG that states its size', () => {
  for (const [name, svg] of pictures) {
    expect(Buffer.byteLength(svg), name).toBeLessThan(8192);
    expect(isWellFormed(svg), name).toBe(true);
    expect(svg, name).toContain('width="400" height="500" viewBox="0 0 400 500"');
    expect(svg, name).not.toMatch(
      /<(script|text|image|filter|foreignObject)|NaN|undefined|href="[^#]/,
    );
    const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size, name).toBe(ids.length);
    const referenced = [...svg.matchAll(/(?:href="#|url\(#)([^")]+)/g)].map(([, id]) => id);
    const unknown = referenced.filter((id) => !ids.includes(id));
    expect(unknown, name).toEqual([]);
  }
});
