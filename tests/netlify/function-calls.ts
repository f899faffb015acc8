/** Calls the functions over HTTP, as pages do. */
import type { TestShop } from '../supabase/shop.ts';

export interface Answer {
  readonly status: number;
  /** The answer's JSON; `{ text }` where it is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Posts to a function: an object as JSON, a text unchanged. @param token null for none */
export async function post(
  shop: Pick<TestShop, 'url'>,
  name: string,
  token: string | null,
  body: object | string,
): Promise<Answer> {
  return readAnswer(
    await fetch(`${shop.url}/.netlify/functions/${name}`, {
      method: 'POST',
      headers: { ...headersOf(token), 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

/** Posts to `upload-csv`. */
export const upload = (shop: Pick<TestShop, 'url'>, token: string | null, body: object | string) =>
  post(shop, 'upload-csv', token, body);

/** Calls a function by GET. @param token null for none */
export async function get(
  shop: Pick<TestShop, 'url'>,
  path: string,
  token: string | null,
): Promise<Answer> {
  const headers = headersOf(token);
  return readAnswer(await fetch(`${shop.url}/.netlify/functions/${path}`, { headers }));
}

/** Asks `imports` what the import page shows of earlier imports. */
export const askImports = (shop: Pick<TestShop, 'url'>, token: string | null) =>
  get(shop, 'imports', token);

function headersOf(token: string | null): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    body: isJson ? (JSON.parse(text) as Answer['body']) : { text },
  };
}
