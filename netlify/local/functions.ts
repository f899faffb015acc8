/**
 * Runs netlify/functions as Netlify does: it calls a file's default export with the request, and gives it the
 * environment through `Netlify.env`. Each shop in this process has its own environment. Netlify's second argument,
 * the context, is missing, because no function of the shop uses it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '@netlify/functions';
import type { SlidingWindow } from '../../supabase/local/sliding-window.ts';
import { toRequest } from './bridge.ts';

/** Netlify rejects larger bodies before the function sees them. */
export const MAX_FUNCTION_BODY_BYTES = 6 * 1024 * 1024;

/** The variables that functions read with `Netlify.env.get`. */
export type Environment = Readonly<Record<string, string>>;

const environment = new AsyncLocalStorage<Environment>();

Object.assign(globalThis, {
  Netlify: { env: { get: (name: string) => environment.getStore()?.[name] ?? process.env[name] } },
});

type NetlifyFunction = (request: Request) => Promise<Response> | Response;

/**
 * Calls the function of that name.
 *
 * @param requestCounts counts requests for the functions' rate limits; without it there are no limits
 * @returns the answer, or undefined when there is no function of that name
 */
export async function invokeFunction(
  folder: string,
  name: string,
  message: IncomingMessage,
  response: ServerResponse,
  origin: string,
  variables: Environment,
  requestCounts?: SlidingWindow,
): Promise<Response | undefined> {
  const file = join(folder, `${name}.ts`);
  if (!/^[\w-]+$/.test(name) || !existsSync(file)) return undefined;
  const module: { default: NetlifyFunction; config?: Config } = await import(
    /* @vite-ignore */ pathToFileURL(file).href
  );
  const sender = message.socket.remoteAddress ?? '';
  const waitSeconds = requestCounts && secondsToWait(module.config, sender, requestCounts);
  if (typeof waitSeconds === 'number') {
    message.resume(); // drops the body, as `readAtMost` does
    const headers = { 'content-type': 'text/plain', 'retry-after': String(waitSeconds) };
    return new Response('Too Many Requests', { status: 429, headers });
  }
  const body = await readAtMost(message, MAX_FUNCTION_BODY_BYTES);
  if (body === undefined) {
    return new Response('Request Entity Too Large', {
      status: 413,
      headers: { 'content-type': 'text/plain', connection: 'close' },
    });
  }
  const request = toRequest(message, response, origin, body);
  return environment.run(variables, async () => module.default(request));
}

/**
 * Counts a request. Returns the seconds to wait where the function's own rate limit is reached, else null.
 * An `aggregateBy` that is no list means one limit for the whole domain, as at Netlify.
 */
function secondsToWait(
  config: Config | undefined,
  address: string,
  requestCounts: SlidingWindow,
): number | null {
  if (config === undefined || !('rateLimit' in config) || !config.rateLimit) return null;
  const { windowLimit, windowSize, aggregateBy } = config.rateLimit;
  const isByAddress = Array.isArray(aggregateBy) && aggregateBy.includes('ip');
  const key = `${String(config.path)} ${isByAddress ? address : ''}`;
  return requestCounts.take(key, { requests: windowLimit, seconds: windowSize });
}

/**
 * The body; undefined where it is larger than the limit. The remaining bytes are then read and dropped, because
 * a client that is still sending would not read the answer.
 */
async function readAtMost(message: IncomingMessage, limitBytes: number) {
  const chunks: Buffer[] = [];
  const declaredBytes = Number(message.headers['content-length'] ?? 0);
  let isTooLarge = declaredBytes > limitBytes;
  if (!isTooLarge) {
    let sizeBytes = 0;
    // The connection stays open for the answer.
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = chunk;
      sizeBytes += bytes.length;
      isTooLarge = sizeBytes > limitBytes;
      if (isTooLarge) break;
      chunks.push(bytes);
    }
  }
  if (!isTooLarge) return new Uint8Array(Buffer.concat(chunks));
  message.resume();
  return undefined;
}
