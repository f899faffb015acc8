/**
 * The edge of every function: it validates the request and turns each failure into an answer. Answers
 * are JSON. A failure is `{ error }`, a sentence for the person at the page, with a `code` where a
 * program has to tell cases apart.
 */
import * as v from 'valibot';
import type { Fields } from '../../src/domain/fields.ts';
import { routeOf } from '../../src/domain/routes.ts';
import { DatabaseRejection, DatabaseUnavailable } from './database.ts';
import { NotConfigured } from './env.ts';
import { ProviderUnavailable, withoutStripeMessage } from './provider.ts';
import { SAFETY_HEADERS } from './safety-headers.ts';

/** For a part of an import. Netlify rejects more itself, but not for every kind of request. */
export const MAX_UPLOAD_BYTES = 6 * 1024 * 1024;
/** For all other requests: several times what the largest order needs. Parsing 6 MB takes seconds. */
const MAX_BODY_BYTES = 512 * 1024;

/**
 * Rejects a request. `message` and `answerFields` become fields of the answer, so they hold nothing
 * confidential.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly answerFields: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    message: string,
    answerFields: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.answerFields = answerFields;
  }
}

/** A JSON answer, which no cache may keep unless `headers` say otherwise. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

/**
 * A function that takes a POST with a JSON object. `admit` looks at the headers and throws for a sender
 * without the right to call; the body, of `mostBytes` at most, is read only afterwards.
 *
 * It accepts `application/json` only: a page of another site can send forms and plain text without
 * a CORS preflight, but not JSON.
 */
export function servePost<Admitted>(
  admit: (request: Request) => Promise<Admitted>,
  handle: (admitted: Admitted, fields: Fields) => Promise<Response>,
  mostBytes = MAX_BODY_BYTES,
) {
  return serve('POST', async (request) => {
    const admitted = await admit(request);
    return handle(admitted, await readFields(request, mostBytes));
  });
}

/** A function that answers one method; GET also means HEAD. Every failure becomes an answer here and nowhere else. */
export function serve(method: 'GET' | 'POST', handle: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    // The host sends an answer to HEAD without its body.
    const isAllowed = request.method === method || (method === 'GET' && request.method === 'HEAD');
    if (!isAllowed) {
      const error = `This address takes ${method} only.`;
      return withHeaders(json({ error }, 405, { allow: method }));
    }
    return withHeaders(await handle(request).catch((thrown: unknown) => answerTo(thrown, request)));
  };
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(SAFETY_HEADERS)) response.headers.set(name, value);
  return response;
}

function answerTo(thrown: unknown, request: Request): Response {
  if (thrown instanceof HttpError) {
    return json({ error: thrown.message, ...thrown.answerFields }, thrown.status);
  }
  const { pathname } = new URL(request.url);
  // The path of a product may hold any text, so its route is logged instead.
  const path = routeOf(pathname) ?? pathname;
  if (thrown instanceof NotConfigured) {
    console.error(`${path}: ${thrown.message}`);
    return json({ error: thrown.sentence, code: 'not-configured' }, 503);
  }
  if (thrown instanceof DatabaseUnavailable || thrown instanceof ProviderUnavailable) {
    console.error(`${path}: ${thrown.message}`);
    const service = thrown instanceof DatabaseUnavailable ? 'shop' : 'payment service';
    const error = `We can’t reach the ${service} right now. Try again.`;
    return json({ error }, 503, { 'retry-after': '2' });
  }
  // The details of a rejection may hold a row.
  if (thrown instanceof DatabaseRejection) {
    console.error(`${path}: ${thrown.code} ${thrown.message}`, thrown.stack);
  } else {
    console.error(`${path}:`, withoutStripeMessage(thrown));
  }
  return json({ error: 'Something went wrong on our side. Try again.' }, 500);
}

/** HTTP status by the code that the database's function `reject` raises; 409 for codes not listed here. */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  'order-unknown': 404,
  'too-many-orders': 429,
};

/** SQLSTATE of an error that the shop's SQL functions raise with a sentence for the shopper. */
const RAISED = 'P0001';

/** SQLSTATE of a violated foreign key. Here the key is to the account: it was deleted after its token was checked. */
const NO_ACCOUNT = '23503';

/**
 * The answer to the caller for what the database rejected with a sentence for them, or because the account is gone;
 * null for other errors. A SQLSTATE of PT and three digits names a status (PostgREST manual, "Errors").
 */
export function httpErrorOf(thrown: unknown): HttpError | null {
  if (!(thrown instanceof DatabaseRejection)) return null;
  if (thrown.code === NO_ACCOUNT) {
    return new HttpError(410, 'This account was deleted.', { code: 'account-gone' });
  }
  const [, status] = /^PT(4\d\d)$/.exec(thrown.code) ?? [];
  if (status !== undefined) return new HttpError(Number(status), thrown.message);
  if (thrown.code !== RAISED) return null;
  // The database's function `reject` writes this JSON.
  const fields = JSON.parse(thrown.details) as { readonly code: string };
  return new HttpError(STATUS_BY_CODE[fields.code] ?? 409, thrown.message, fields);
}

async function readFields(request: Request, mostBytes: number): Promise<Fields> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new HttpError(415, 'The request must be JSON (content-type: application/json).');
  }
  const value = parseJson(await readBodyText(request, mostBytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, 'The request must be a JSON object.');
  }
  return value as Fields; // any object may be read by name
}

/** The fields of a request's body, as a schema describes them. @throws HttpError 400 with the schema's sentence */
export function parseBody<Entries extends v.ObjectEntries>(
  schema: v.ObjectSchema<Entries, undefined>,
  fields: Fields,
) {
  // Valibot reports an absent field in its own words, but an undefined one in the schema's.
  const absent = Object.fromEntries(Object.keys(schema.entries).map((name) => [name, undefined]));
  const parsed = v.safeParse(schema, { ...absent, ...fields }, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw new HttpError(400, parsed.issues[0].message);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, 'The request is not valid JSON.');
  }
}

/**
 * The body as text, exactly as it was sent.
 *
 * @throws HttpError 413 over the limit, 400 where it is not UTF-8
 */
export async function readBodyText(request: Request, mostBytes = MAX_BODY_BYTES): Promise<string> {
  const tooLarge = new HttpError(413, `The request is larger than ${mostBytes / 1024} kB.`);
  if (Number(request.headers.get('content-length')) > mostBytes) throw tooLarge;
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > mostBytes) throw tooLarge;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError(400, 'The request is not valid UTF-8.');
  }
}
