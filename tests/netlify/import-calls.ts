/** Calls the functions over HTTP, as pages do. */
import { gzipSync } from 'node:zlib';
import type { TestShop } from '../supabase/shop.ts';

export interface Answer {
  readonly status: number;
  /** The answer's JSON; `{ text }` where it is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What is posted: an object as JSON, a text or bytes unchanged. */
export type UploadBody = object | string | Uint8Array<ArrayBuffer>;

/** The value of `csvGzip` for a text. */
export const packed = (csv: string | Uint8Array): string => gzipSync(csv).toString('base64');

/** Posts to a function. @param token null for none. @param type the content type; null for none */
export async function post(
  shop: Pick<TestShop, 'url'>,
  name: string,
  token: string | null,
  body: UploadBody,
  type: string | null = 'application/json',
): Promise<Answer> {
  const isUnchanged = typeof body === 'string' || body instanceof Uint8Array;
  return readAnswer(
    await fetch(`${shop.url}/.netlify/functions/${name}`, {
      method: 'POST',
      headers: headersOf(token, type),
      body: isUnchanged ? body : JSON.stringify(body),
    }),
  );
}

/** Posts to `upload-csv`. */
export const upload = (
  shop: Pick<TestShop, 'url'>,
  token: string | null,
  body: UploadBody,
  type?: string | null,
) => post(shop, 'upload-csv', token, body, type);

/** Calls a function by GET. @param token null for none */
export async function get(
  shop: Pick<TestShop, 'url'>,
  path: string,
  token: string | null,
): Promise<Answer> {
  const headers = headersOf(token, null);
  return readAnswer(await fetch(`${shop.url}/.netlify/functions/${path}`, { headers }));
}

/** Asks `imports` what the import page shows of earlier imports. */
export const askImports = (shop: Pick<TestShop, 'url'>, token: string | null) =>
  get(shop, 'imports', token);

function headersOf(token: string | null, type: string | null): Record<string, string> {
  return {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(type === null ? {} : { 'content-type': type }),
  };
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    body: isJson ? (JSON.parse(text) as Answer['body']) : { text },
  };
}
