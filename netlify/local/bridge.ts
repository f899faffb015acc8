/** Translates between Node's http server and `Request` and `Response`, which backend and functions use. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chooseEncoding, compressFast, MIN_COMPRESSED_BYTES } from './compress.ts';

/**
 * The message as a `Request`.
 *
 * @param response when it closes before the answer is sent, the request's signal is aborted
 * @param body the body where the caller has read it already
 */
export function toRequest(
  message: IncomingMessage,
  response: ServerResponse,
  origin: string,
  body?: Uint8Array<ArrayBuffer>,
): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const clientGone = new AbortController();
  response.once('close', () => {
    if (!response.writableEnded) clientGone.abort();
  });
  const { method = 'GET' } = message;
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    signal: clientGone.signal,
    duplex: 'half',
  };
  if (method !== 'GET' && method !== 'HEAD') {
    // Node's stream and the web's are the same at run time; only their types differ.
    init.body = body ?? (Readable.toWeb(message) as ReadableStream<Uint8Array<ArrayBuffer>>);
  }
  return new Request(origin + message.url, init);
}

/** Sends an answer. JSON or HTML of 1 kB or more is compressed with gzip where the client takes it. */
export async function sendResponse(
  message: IncomingMessage,
  target: ServerResponse,
  answer: Response,
): Promise<void> {
  target.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    // `setHeader` would keep only the last of several cookies.
    if (name !== 'set-cookie') target.setHeader(name, value);
  }
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) target.setHeader('set-cookie', cookies);

  if (answer.body === null || message.method === 'HEAD') {
    target.end();
    return;
  }
  if (!isText(answer)) {
    // As above, only the types of the two streams differ.
    await pipeline(Readable.fromWeb(answer.body as never), target);
    return;
  }
  const bytes = Buffer.from(await answer.arrayBuffer());
  target.appendHeader('vary', 'Accept-Encoding');
  const encoding = chooseEncoding(message.headers['accept-encoding']?.toString(), ['gzip']);
  const isCompressed =
    encoding !== undefined &&
    bytes.length >= MIN_COMPRESSED_BYTES &&
    !answer.headers.has('content-encoding');
  const body = isCompressed ? await compressFast(bytes) : bytes;
  if (isCompressed) target.setHeader('content-encoding', 'gzip');
  target.setHeader('content-length', body.length);
  target.end(body);
}

/** Whether this is JSON or HTML. */
function isText(answer: Response): boolean {
  return /^(application\/([\w.-]+\+)?json|text\/html)/.test(
    answer.headers.get('content-type') ?? '',
  );
}
