/** Calls the functions over HTTP, as pages do. */
import type { TestShop } from '../supabase/shop.ts';

export interface Answer {
  readonly status: number;
  /** The answer's JSON; `{ text }` where it is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

interface CallOptions {
  /** Content type; null sends none. */
  readonly type?: string | null;
}

/** Posts an object as JSON, or a text or bytes unchanged. @param token null for none */
export async function post(
  shop: Pick<TestShop, 'url'>,
  name: string,
  token: string | null,
  body: object | string | Uint8Array<ArrayBuffer>,
  { type = 'application/json' }: CallOptions = {},
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
  body: object | string | Uint8Array<ArrayBuffer>,
  options?: CallOptions,
) => post(shop, 'upload-csv', token, body, options);

/** Asks `imports` what the import page shows of earlier imports. */
export async function askImports(
  shop: Pick<TestShop, 'url'>,
  token: string | null,
): Promise<Answer> {
  return readAnswer(
    await fetch(`${shop.url}/.netlify/functions/imports`, { headers: headersOf(token, null) }),
  );
}

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
