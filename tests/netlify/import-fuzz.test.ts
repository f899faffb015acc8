/** Random uploads of a signed-in client. fuzz.test.ts sends requests without a valid token, and to other functions. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SEED } from '../random.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { packed } from './fuzz-gzip.ts';
import { type Answer, upload, type UploadBody } from './import-calls.ts';
import { quickOrFull } from '../full-run.ts';

/** How many uploads are sent. */
const RUNS = Number(process.env['RUNS'] ?? quickOrFull(200, 2000));
/** A minute for the start, and 40 ms for each upload. */
const TIMEOUT_MS = 60_000 + RUNS * 40;

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');

/** A text of any UTF-16 code units, also of halves of surrogate pairs and NUL. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes));

const scrap = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(',', ';', '\t', '|', '"', '""', '\n', '\r\n', '\r', ' '),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...`A-1 000123 1.23E+11 #N/A =1+1 ' 12.50 1.234,56 99999999999999999999 -0 NaN 💎`.split(' '),
      ...'https://x.test/a.jpg https://a:b@x.test \u0000 \ud800 \udc00x \ufeff'.split(' '),
      '\u00a0',
      'x'.repeat(70),
      'y'.repeat(3000),
    ),
  },
  { weight: 1, arbitrary: anyText },
);
const headingLines = fc.constantFrom(
  'SKC\n',
  'SKC,Size,Images link,Category 1,Retail Price,Material\n',
  'sku;price\r\n',
  '\ufeffsep=;\nStock code;Size;Price;Foo\n',
  'Our range\n\nSKC\tSize\tRetail Price\n',
  'SKC,SKC,Price\n',
  '',
);
const csv = fc
  .tuple(headingLines, fc.array(scrap, { maxLength: 60 }))
  .map(([headingLine, scraps]) => headingLine + scraps.join(''));

const oddValue = fc.oneof(
  anyText,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, [], {}, 1e308, -1, 2 ** 31, 2 ** 53, 9999, 10_000, ''),
);
/** So few ids that many uploads name the same import. */
const importId = fc
  .integer({ min: 0, max: 40 })
  .map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);

const goodFields = {
  csv,
  importId,
  part: fc.integer({ min: 0, max: 4 }),
  totalParts: fc.integer({ min: 5, max: 7 }),
  fileName: anyText,
  blankCellsClear: fc.boolean(),
};
const goodUpload = fc.oneof(
  fc.record({ csv }),
  fc.record(goodFields, { requiredKeys: ['csv', 'importId', 'part'] }),
);
/** The same upload with its text packed, as pages send it; sometimes cut off. */
const packedUpload = fc
  .tuple(goodUpload, fc.option(fc.nat(200)))
  .map(([{ csv: text, ...otherFields }, cutAt]) => ({
    ...otherFields,
    csvGzip: packed(text).slice(0, cutAt ?? undefined),
  }));
const fields = fc.oneof(
  { weight: 4, arbitrary: goodUpload },
  { weight: 4, arbitrary: packedUpload },
  // One field has a wrong value.
  {
    weight: 1,
    arbitrary: fc
      .tuple(goodUpload, fc.constantFrom(...Object.keys(goodFields)), oddValue)
      .map(([all, name, odd]) => ({ ...all, [name]: odd })),
  },
);

const body = fc.oneof(
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 80 }) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 12, arbitrary: fields },
  // The JSON is cut off somewhere.
  {
    weight: 1,
    arbitrary: fc.tuple(fields, fc.nat(200)).map(([all, at]) => JSON.stringify(all).slice(0, at)),
  },
);

const firstPart = { csv: 'SKC,Size\nA-1,M\n', importId: randomUUID(), part: 0 };
/** Sent before the random uploads. Their answers in turn: 200, 409 (that part with other content), 400, 422. */
const ONE_OF_EACH_ANSWER: [UploadBody][] = [
  [firstPart],
  [{ ...firstPart, csv: 'SKC,Size\nA-2,M\n' }],
  ['not JSON'],
  [{ csv: '' }],
];

/** Whether the answer is a result, or rejects the upload with a sentence. */
function isSound({ status, body }: Answer): boolean {
  if (status === 200) return typeof body['message'] === 'string';
  return status >= 400 && status < 500 && /^\S+ .*\.$/s.test(String(body['error']));
}

test(
  'whatever a signed-in client sends, the shop answers with a result or a sentence, and never fails',
  { timeout: TIMEOUT_MS },
  async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(body, async (body) => {
        const answer = await upload(shop, ada.token, body);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect(isSound(answer), JSON.stringify(answer)).toBe(true);
      }),
      { numRuns: RUNS, seed: SEED, examples: ONE_OF_EACH_ANSWER },
    );
    console.log('answers by status:', Object.fromEntries(statuses));
    // The uploads reach the database, and each of these rejections.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 409, 422]));
  },
);
