/** The function `upload-csv`: whole files, parts of an import, and what it rejects. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { storedImport, storedProducts } from '../supabase/parts.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { upload } from './function-calls.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
beforeEach(() => shop.backend.query('truncate public.products'));

/** The value of `csvGzip` for a text. */
const packed = (csv: string | Uint8Array) => gzipSync(csv).toString('base64');
/** Uploads with Ada's token. */
const send = (body: object | string) => upload(shop, ada.token, body);
const MAX_BYTES = 6 * 1024 * 1024;
const MAX_PART_ROWS = 10_000;
/** The most rejected rows that an answer lists. */
const MAX_LISTED = 100;

const storedSkcs = async () => (await storedProducts(shop)).map((row) => row['SKC']);

async function storedProduct(skc: string) {
  return (await storedProducts(shop)).find((row) => row['SKC'] === skc);
}

describe('an upload of a csv alone', () => {
  test('by any signed-in shopper, where importing needs no role, is stored, and answered with a message and counts', async () => {
    const csv = 'SKC,Size,Retail Price,Material\nA,M,12.50,wool\nA,L,12.50,wool\nB,,,\n';
    expect(await send({ csv })).toEqual({
      status: 200,
      body: {
        message: 'Import successful! Processed 3 records.',
        processed_count: 3,
        inserted: 3,
        updated: 0,
        unchanged: 0,
        off_sale: 0,
        rejected: [],
        rejected_count: 0,
        replaced_count: 0,
        import_id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      },
    });
    expect(await storedSkcs()).toEqual(['A', 'A', 'B']);
  });

  test('is a whole import, finished at once and stored with the importer’s account and the file’s name', async () => {
    // Postgres stores neither a NUL nor half a surrogate pair.
    const fileName = 'spring\u0000 \ud800.csv';
    const { body } = await send({ csv: 'SKC\nA\n', fileName });
    expect(await storedImport(shop, body['import_id'])).toMatchObject({
      user_id: ada.id,
      email: ada.email,
      file_name: 'spring\ufffd \ufffd.csv',
      state: 'finished',
      total_parts: 1,
    });
  });

  test('with more rows than one part takes is stored in several parts', async () => {
    const lines = Array.from({ length: 2.5 * MAX_PART_ROWS }, (_, i) => `S-${i}`);
    const { status, body } = await send({ csv: `SKC\n${lines.join('\n')}\n` });
    expect([status, body['inserted']]).toEqual([200, lines.length]);
    expect(await storedImport(shop, body['import_id'])).toMatchObject({
      state: 'finished',
      total_parts: 3,
      inserted: lines.length,
    });
  });

  test('lists each rejected row with line, column and reason, and stores the others', async () => {
    const csv = 'SKC,Retail Price\nA,12.50\n,3.00\nB,twelve\n#N/A,1\nC,\n';
    const { status, body } = await send({ csv });
    expect(status).toBe(200);
    expect(body).toMatchObject({ processed_count: 2, rejected_count: 3 });
    expect(body['rejected']).toMatchObject([
      { line: 3, column: 'SKC' },
      { line: 4, column: 'Retail Price' },
      { line: 5, column: 'SKC' },
    ]);
    for (const row of body['rejected'] as { reason: string; advice: string }[]) {
      expect(row.reason).toMatch(/\w+ .*\.$/);
      expect(row.advice).toMatch(/\w+ .*\.$/);
    }
    expect(await storedSkcs()).toEqual(['A', 'C']);
  });

  test('with very many bad rows lists the first hundred and counts all', async () => {
    const { body } = await send({ csv: `SKC,Size\nA,\n${',M\n'.repeat(250)}` });
    expect(body).toMatchObject({ processed_count: 1, rejected_count: 250 });
    expect(body['rejected']).toHaveLength(MAX_LISTED);
  });
});

describe('an upload that is packed', () => {
  test('is stored as the same text would be', async () => {
    const csv = '\ufeffSKC,Material\nA,"wool, “fine” 💎\n"\n';
    const { body } = await send({ csvGzip: packed(csv) });
    expect(body).toMatchObject({ inserted: 1, rejected_count: 0 });
    expect(await storedProduct('A')).toMatchObject({ Material: 'wool, “fine” 💎' });
    expect((await send({ csv })).body).toMatchObject({ unchanged: 1 });
  });

  test('counts once, in whichever form a part is sent again', async () => {
    const csv = '\ufeffSKC,Material\nB,💎\n';
    const position = { importId: randomUUID(), part: 1 };
    const first = await send({ csvGzip: packed(csv), ...position });
    expect(first.body).toMatchObject({ inserted: 1 });
    expect(await send({ csv, ...position })).toEqual(first);
    expect(await send({ csvGzip: packed(csv), ...position })).toEqual(first);
    expect((await send({ csv, ...position, blankCellsClear: true })).status).toBe(409);
  });

  test('may unpack to as much as an upload may hold, and to no byte more', async () => {
    const csv = 'SKC\nA\n'.padEnd(MAX_BYTES, '\n');
    expect((await send({ csvGzip: packed(csv) })).status).toBe(200);
    expect(await send({ csvGzip: packed(`${csv}\n`) })).toEqual({
      status: 413,
      body: { error: 'Unpacked, csvGzip is larger than 6144 kB.' },
    });
  });

  test('that unpacks to very much is refused before it is unpacked whole', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, 'A'));
    // The end is cut off: a server that unpacked the whole upload would find it broken and answer 400.
    expect((await send({ csvGzip: bomb.subarray(0, -20).toString('base64') })).status).toBe(413);
  });
});

test('a blank cell empties what is stored when the importer says so', async () => {
  await send({ csv: 'SKC,Category 1,Retail Price,Material\nA,Coats,80.00,wool\n' });
  const csv = 'SKC,Retail Price,Material\nA,,\n';
  expect((await send({ csv })).body).toMatchObject({ unchanged: 1 });
  expect((await send({ csv, blankCellsClear: true })).body).toMatchObject({ updated: 1 });
  const emptied = { 'Category 1': 'Coats', 'Retail Price': null, Material: null };
  expect(await storedProduct('A')).toMatchObject(emptied);
});

describe('an import in parts', () => {
  test('has one part when the upload names an import id alone', async () => {
    const importId = randomUUID();
    await send({ csv: 'SKC\nA\n', importId });
    expect(await storedImport(shop, importId)).toMatchObject({ state: 'finished', total_parts: 1 });
  });

  test('may have no part of more than 10,000 rows, packed or not', async () => {
    const lines = Array.from({ length: MAX_PART_ROWS + 1 }, (_, i) => `S-${i}`);
    const csv = `SKC\n${lines.join('\n')}\n`;
    for (const text of [{ csv }, { csvGzip: packed(csv) }]) {
      const { status } = await send({ ...text, importId: randomUUID(), part: 0 });
      expect(status).toBe(413);
    }
    expect(await storedSkcs()).toEqual([]);
  });
});

describe('the server rejects with a sentence', () => {
  const csv = 'SKC\nA\n';
  const id = '00000000-0000-4000-8000-000000000001';

  test.each([
    ['a body that is not JSON', '{"csv": "SKC', 400],
    ['no csv', {}, 400],
    ['an import id that is not a UUID', { csv, importId: 'spring' }, 400],
    ['a part beyond the number of parts', { csv, importId: id, part: 2, totalParts: 2 }, 400],
    ['a part of no import', { csv, part: 0 }, 400],
    ['a packed csv that is not base64', { csvGzip: `${packed(csv)}%` }, 400],
    ['a packed csv that was cut off', { csvGzip: packed(csv).slice(0, 20) }, 400],
    ['a packed csv that is not UTF-8', { csvGzip: packed(Buffer.of(0x53, 0xff)) }, 400],
    ['a csv that comes twice', { csv, csvGzip: packed(csv) }, 400],
    ['a csv without the column SKC', { csv: 'Name,Price\nCoat,12\n' }, 422],
    ['a csv with a quote that does not end', { csv: 'SKC,Size\nA,"M\n' }, 422],
  ])('%s', async (_what, body, status) => {
    const answer = await send(body);
    expect(answer.status).toBe(status);
    expect(answer.body['error']).toMatch(/^\S+ .*\.$/s);
    expect(await storedSkcs()).toEqual([]);
  });

  test('a csv in which no row can be stored, with the reasons', async () => {
    const { status, body } = await send({ csv: 'SKC,Size\n,M\n,L\n' });
    expect([status, body['rejected_count']]).toEqual([422, 2]);
    expect(body['error']).toMatch(/No rows were saved/);
    expect(body['rejected']).toMatchObject([{ line: 2 }, { line: 3 }]);
  });
});

test('a part may have no rows, only keys of products, and takes the hidden products off sale', async () => {
  await send({ csv: 'SKC\nA\nB\n' });
  const part = { csv: 'SKC\n', importId: randomUUID(), part: 0, totalParts: 1 };
  const hiding = { ...part, hidden: [['A', '']] };
  const first = await send(hiding);
  expect(first).toMatchObject({ status: 200, body: { processed_count: 0, off_sale: 1 } });
  expect(await send(hiding), 'sent once more').toEqual(first);
  expect(await send({ ...part, hidden: [['B', '']] })).toMatchObject({ status: 409 });
  expect(await storedSkcs()).toEqual(['B']);
  expect(await send({ csv: 'SKC\n', hidden: [['B', '']] })).toMatchObject({
    body: { off_sale: 1 },
  });
  expect(await send({ csv: 'SKC\n' })).toMatchObject({ status: 422 });
});
