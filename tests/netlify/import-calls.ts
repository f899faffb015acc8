/** The import functions as a page calls them. */
import type { TestShop } from '../supabase/shop.ts';

export interface Answer {
  readonly status: number;
  /** Its JSON; a text where it is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  readonly method?: string;
  readonly type?: string | null;
}

/** Posts fields, or a body as it stands. */
export async function post(
  shop: Pick<TestShop, 'url'>,
  name: string,
  token: string | null,
  body: object | string | Uint8Array<ArrayBuffer>,
  { method = 'POST', type = 'application/json' }: CallOptions = {},
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  return answerOf(
    await fetch(`${shop.url}/.netlify/functions/${name}`, {
      method,
      headers: headersOf(token, type),
      body: isRaw ? body : JSON.stringify(body),
    }),
  );
}

export const upload = (
  shop: Pick<TestShop, 'url'>,
  token: string | null,
  body: object | string | Uint8Array<ArrayBuffer>,
  options?: CallOptions,
) => post(shop, 'upload-csv', token, body, options);

export async function askImports(
  shop: Pick<TestShop, 'url'>,
  token: string | null,
): Promise<Answer> {
  return answerOf(
    await fetch(`${shop.url}/.netlify/functions/imports`, { headers: headersOf(token, null) }),
  );
}

function headersOf(token: string | null, type: string | null): Record<string, string> {
  return {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(type === null ? {} : { 'content-type': type }),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    body: isJson ? (JSON.parse(text) as Answer['body']) : { text },
  };
}
