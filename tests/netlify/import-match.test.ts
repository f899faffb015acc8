/** Matches: which column of a file holds which field of a product, as a user has said; they are stored for all staff. */
import { beforeEach, expect, test } from 'vitest';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { askImports, post, upload } from './import-calls.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
beforeEach(() => shop.backend.query('truncate public.products, public.imports cascade'));

/** `headings` are sorted, and `columns` holds positions among them. */
const MATCH = {
  headings: ['Hinta', 'Koodi'],
  columns: { SKC: 1, 'Retail Price': 0 },
  rulesOff: [],
};

const remember = (token: string | null, match: object | string) =>
  post(shop, 'import-match', token, match);
const importSomething = (token: string) => upload(shop, token, { csv: 'SKC\nA\n' });
/** The matches of which the import page of this account is told. */
const knownTo = async (token: string) => (await askImports(shop, token)).body['matches'];

test('a match is remembered for all staff after an import has ended, with who and when', async () => {
  await importSomething(ada.token);
  expect(await remember(ada.token, MATCH)).toEqual({ status: 200, body: { remembered: true } });
  const shown = { ...MATCH, matched_at: expect.any(String) as string };
  expect(await knownTo(ada.token)).toEqual([{ ...shown, by_me: true }]);
  expect(await knownTo(eve.token)).toEqual([{ ...shown, by_me: false }]);
});

test('an account cannot store a match before an import of its own has ended', async () => {
  await importSomething(ada.token);
  expect(await remember(eve.token, MATCH)).toEqual({
    status: 409,
    body: { error: 'No import of yours has ended yet.' },
  });
  expect((await remember(null, MATCH)).status).toBe(401);
  expect(await knownTo(ada.token)).toEqual([]);
});

test('a later match for the same headings replaces the earlier match', async () => {
  await importSomething(ada.token);
  await importSomething(eve.token);
  await remember(ada.token, MATCH);
  const other = { ...MATCH, columns: { SKC: 0, Material: null }, rulesOff: ['totals'] };
  await remember(eve.token, other);
  expect(await knownTo(ada.token)).toEqual([
    { ...other, by_me: false, matched_at: expect.any(String) as string },
  ]);
});

test('the page is told of the newest forty matches, and the newest two hundred are kept', async () => {
  await importSomething(ada.token);
  await shop.backend.query(
    `insert into public.import_matches (key, headings, places, rules_off, import_id, matched_at)
     select lpad(to_hex(n), 64, '0'), '["a"]', '{}', '[]', (select id from public.imports limit 1),
       now() - n * interval '1 hour'
     from generate_series(1, 250) n`,
  );
  await remember(ada.token, MATCH);
  const known = (await knownTo(ada.token)) as readonly { readonly headings: unknown }[];
  expect(known).toHaveLength(40);
  expect(known[0]?.headings).toEqual(MATCH.headings);
  const [row] = await shop.backend.query('select count(*)::int as n from public.import_matches');
  expect(row?.['n']).toBe(200);
});

test('a malformed match is rejected with a sentence and not stored', async () => {
  await importSomething(ada.token);
  for (const wrong of [
    {},
    { ...MATCH, headings: ['Koodi', 'Hinta'] }, // not sorted
    { ...MATCH, headings: ['a\u0000', 'b'] }, // a character that Postgres cannot store
    { ...MATCH, headings: ['\ud800', '\ud900'] }, // lone surrogates
    { ...MATCH, columns: { SKC: 2 } }, // there are two headings
    { ...MATCH, headings: Array.from({ length: 201 }, () => 'a') }, // more than 200 headings
  ]) {
    const { status, body } = await remember(ada.token, wrong);
    expect(status, JSON.stringify(wrong)).toBe(400);
    expect(body['error']).toMatch(/\.$/);
  }
  expect((await remember(ada.token, '{')).status).toBe(400);
  expect(await knownTo(ada.token)).toEqual([]);
});

test('whatever staff have matched, the answer to the import page is smaller than 1 MB', async () => {
  await importSomething(ada.token);
  const headings = (count: number, chars: number, letter: string) =>
    Array.from({ length: count }, (_, i) => String(i + 100) + letter.repeat(chars - 3));
  const columns = { SKC: 0 };
  const tooLarge = { headings: headings(200, 200, '\u0001'), columns, rulesOff: [] };
  expect((await remember(ada.token, tooLarge)).status).toBe(400);
  // An earlier build stored matches as large as this one. The page is not told of them.
  await shop.backend.query(
    `insert into public.import_matches (key, headings, places, rules_off, import_id)
     select lpad(to_hex(n), 64, '0'), $1::jsonb, '{"SKC": 0}', '[]', (select id from public.imports limit 1)
     from generate_series(1, 20) n`,
    [JSON.stringify(tooLarge.headings)],
  );
  /** How many characters each of 199 headings may have: all headings may have 20,000 bytes as JSON. */
  const longest = [
    ['a', 97],
    ['布', 34],
    ['\u0001', 18],
    ['"', 50],
  ] as const;
  for (const [kind, [letter, chars]] of longest.entries()) {
    for (let copy = 0; copy < 5; copy += 1) {
      // The first heading makes each match another one.
      const match = { ...MATCH, headings: [`0${kind}${copy}`, ...headings(199, chars, letter)] };
      expect((await remember(ada.token, match)).status).toBe(200);
    }
  }
  const known = (await knownTo(ada.token)) as readonly object[];
  expect(known).toHaveLength(20);
  // The page is told of forty matches at most, which are twice these.
  const bytesOfForty = 2 * Buffer.byteLength(JSON.stringify(known));
  expect(bytesOfForty, 'almost as large as possible').toBeGreaterThan(700_000);
  expect(bytesOfForty).toBeLessThan(900_000);
});

test('the matches of a deleted account stay, as those of another account', async () => {
  const bob = await addShopper(shop, 'bob');
  await importSomething(bob.token);
  await remember(bob.token, MATCH);
  await shop.backend.query('delete from auth.users where id = $1', [bob.id]);
  expect(await knownTo(ada.token)).toMatchObject([{ by_me: false }]);
});
