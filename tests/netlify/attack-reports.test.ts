/** Reports by which an attacker would write personal data into the log, forge its lines, or fill it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { importAttacked } from './shop-over-http.ts';

/** The types of the reports that browsers send. */
const CSP = 'application/csp-report';
const REPORTS = 'application/reports+json';
/** The type of the reports that the shop's own page sends. */
const FROM_PAGE = 'application/json';
/** The limits of the function. */
const LINES_PER_MINUTE = 30;
const REPORTS_PER_REQUEST = 5;

/** The page cuts messages that have more characters. */
const MAX_CHARS_FROM_PAGE = 500;

type Handler = (request: Request) => Promise<Response>;
const { default: handle } = await importAttacked<{ default: Handler }>(
  'netlify/functions/report.ts',
);
/** What the function has logged. */
let lines: string[];

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') });
});
afterAll(() => void vi.useRealTimers());
beforeEach(() => {
  // A new minute has a new limit of lines.
  vi.setSystemTime(Date.now() + 60_000);
  lines = [];
  vi.spyOn(console, 'error').mockImplementation((line: unknown) => void lines.push(String(line)));
});
afterEach(() => void vi.restoreAllMocks());

async function send(type: string, body: unknown, method = 'POST'): Promise<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const url = 'http://localhost/.netlify/functions/report';
  const init = {
    method,
    headers: { 'content-type': type },
    ...(method === 'POST' && { body: text }),
  };
  return (await handle(new Request(url, init))).status;
}
/** The report of an uncaught error, as the shop's page sends it. */
const error = (message: string, changes: object = {}) => ({
  kind: 'error',
  name: 'TypeError',
  message,
  stack: ['first-_oUwKOVy.js:1:2345'],
  ...changes,
});

describe('a report', () => {
  test('of an uncaught error says where in our scripts it was, in one line', async () => {
    expect(await send(FROM_PAGE, error('x is not a function'))).toBe(204);
    expect(lines).toEqual([
      'report {"kind":"error","name":"TypeError","message":"x is not a function","stack":["first-_oUwKOVy.js:1:2345"]}',
    ]);
  });

  test('whose fields are not texts is logged without them', async () => {
    // `String` throws for this object.
    const odd = { toString: 1, valueOf: 1 };
    const csp = { 'effective-directive': odd, 'blocked-uri': odd, 'document-uri': odd };
    expect(await send(CSP, { 'csp-report': csp })).toBe(204);
    expect(lines).toEqual([
      'report {"kind":"csp","directive":"unknown","blocked":"unknown","page":"another"}',
    ]);
  });

  test('of a type that is the name of a JavaScript method is rejected', async () => {
    expect(await send('constructor', ['ada@weft.test'])).toBe(415);
    expect(lines).toEqual([]);
  });

  test('of a page that keeps its data in memory says only that', async () => {
    expect(await send(FROM_PAGE, { kind: 'memory', uid: 'ada', email: 'ada@weft.test' })).toBe(204);
    expect(lines).toEqual(['report {"kind":"memory"}']);
  });

  test.each([
    [
      CSP,
      {
        'csp-report': {
          'document-uri': 'https://weft.example/reset-password?token=s3cret#access_token=abc',
          'violated-directive': 'connect-src https://a.example',
          'blocked-uri': 'https://evil.example/collect?email=ada@weft.test',
          'script-sample': 'ada@weft.test',
        },
      },
    ],
    [
      REPORTS,
      [
        { type: 'deprecation', body: { message: 'ada@weft.test' } },
        {
          type: 'csp-violation',
          url: 'https://weft.example/reset-password?token=s3cret',
          body: {
            documentURL: 'https://weft.example/reset-password?token=s3cret',
            effectiveDirective: 'connect-src',
            blockedURL: 'https://evil.example/collect?email=ada@weft.test',
            sample: 'ada@weft.test',
          },
        },
      ],
    ],
  ])('says of what the policy blocked only the origin: %s', async (type, body) => {
    expect(await send(`${type}; charset=utf-8`, body)).toBe(204);
    expect(lines).toEqual([
      'report {"kind":"csp","directive":"connect-src","blocked":"https://evil.example","page":"/reset-password"}',
    ]);
  });

  test.each(['/product/ada@weft.test', '/product/%22%0Areport forged', '/product/A/4242?size=ada'])(
    'from the product page %s names only the route',
    async (path) => {
      const page = `https://weft.example${path}`;
      await send(CSP, { 'csp-report': { 'document-uri': page } });
      await send(REPORTS, [{ type: 'csp-violation', body: { documentURL: page } }]);
      const line =
        'report {"kind":"csp","directive":"unknown","blocked":"unknown","page":"/product/*"}';
      expect(lines).toEqual([line, line]);
    },
  );

  test('holds nothing of a person, of a page or of a token, whatever the message quotes', async () => {
    const personal = [
      'ada@weft.test is unknown',
      'Failed to fetch https://weft.example/reset-password?token=s3cret',
      `no order 01a2036b-2399-724b-9f2d-8d0f9857d228 for eyJhbGciOiJIUzI1NiJ9.x`,
      `Unexpected token 'A', "Ada Byron, 12 St James" is not valid JSON`,
      'GET /rest/v1/orders?user_id=eq.7 failed, card 4242424242424242',
    ];
    for (const message of personal) await send(FROM_PAGE, error(message));
    expect(lines).toHaveLength(personal.length);
    expect(lines.join('\n')).not.toMatch(
      /ada|byron|james|s3cret|token=|01a2036b|eyJ|4242|user_id/i,
    );
    lines = [];
    await send(
      FROM_PAGE,
      error('x', { name: 'ada@weft.test', stack: ['https://x/?ada', 'a.js:1:1\nada'] }),
    );
    expect(lines.join('')).not.toContain('ada');
  });

  test.each([
    [
      'holds quotation marks itself',
      `Unexpected token 'A', "{"name": "Ada Byron", "street": James" is not valid JSON`,
      'Unexpected token "...", "..." is not valid JSON',
    ],
    ['is in apostrophes', `Failed on 'Ada's 'coat' of Byron' here`, 'Failed on "..." here'],
    ['is in backticks', 'x `Ada `Byron` James` y', 'x "..." y'],
    ['is in curved marks', 'x “Ada “Byron” James” y', 'x "..." y'],
    ['has lost its end', `bad value "Ada Byron, 12 St James`, 'bad value "..."'],
    ['has lost its end in an apostrophe', `bad value 'Ada Byron`, 'bad value "..."'],
    [
      'has more quotation marks inside and was cut by the page',
      `bad value "{"a": "b", Ada ${'Byron '.repeat(100)}`.slice(0, MAX_CHARS_FROM_PAGE),
      'bad value "..."',
    ],
  ])('holds nothing of a quoted text that %s', async (_, message, logged) => {
    await send(FROM_PAGE, error(message));
    expect(JSON.parse(lines[0]?.slice('report '.length) ?? '') as object).toMatchObject({
      message: logged,
    });
  });

  test('keeps a message with an apostrophe and no quoted text as it is', async () => {
    await send(FROM_PAGE, error(`Can't find variable: cart`));
    expect(lines[0]).toContain(`"message":"Can't find variable: cart"`);
  });

  test('stays one line, whatever it holds', async () => {
    await send(FROM_PAGE, error('a\nreport forged\r\u2028\u0085\u001b[31mb'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[ -~]+$/);
  });

  test('of more than 8 kB is rejected, and so is a body that is no report', async () => {
    expect(await send(FROM_PAGE, error('x', { more: 'y'.repeat(8 * 1024) }))).toBe(413);
    for (const type of ['text/plain', '', 'application/jsonp', 'multipart/form-data']) {
      expect(await send(type, error('x'))).toBe(415);
    }
    for (const body of ['', '{', '[]', 'null', '7', '{}', '{"kind":"error"}']) {
      expect(await send(FROM_PAGE, body)).toBe(400);
    }
    expect(await send(CSP, '{"csp-report":[]}')).toBe(400);
    expect(await send(REPORTS, '{}')).toBe(400);
    expect(await send(REPORTS, '[null]')).toBe(400);
    expect(await send(FROM_PAGE, '', 'GET')).toBe(405);
    expect(lines).toEqual([]);
  });
});

test('reports fill no log: an instance writes 30 lines a minute, and answers further reports alike', async () => {
  for (let i = 0; i < 100; i += 1) expect(await send(FROM_PAGE, { kind: 'memory' })).toBe(204);
  expect(lines).toHaveLength(LINES_PER_MINUTE);
  const many = Array.from({ length: 50 }, () => ({ type: 'csp-violation', body: {} }));
  vi.setSystemTime(Date.now() + 60_000);
  expect(await send(REPORTS, many)).toBe(204);
  expect(lines).toHaveLength(LINES_PER_MINUTE + REPORTS_PER_REQUEST);
});
