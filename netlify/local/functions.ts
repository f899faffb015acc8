/**
 * Runs netlify/functions as Netlify does: one file, one default export, (Request, Context), and the
 * environment through `Netlify.env`. Each shop of this process has an environment of its own.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config, Context } from '@netlify/functions';
import type { SlidingWindow } from '../../supabase/local/sliding-window.ts';
import { toRequest } from './bridge.ts';

/** Netlify rejects larger bodies before the function sees them. */
export const MAX_FUNCTION_BODY_BYTES = 6 * 1024 * 1024;

/** What functions read with `Netlify.env.get`. */
export type Environment = Readonly<Record<string, string>>;

const environment = new AsyncLocalStorage<Environment>();

Object.assign(globalThis, {
  Netlify: { env: { get: (name: string) => environment.getStore()?.[name] ?? process.env[name] } },
});

type NetlifyFunction = (request: Request, context: Context) => Promise<Response> | Response;

/**
 * @param taken counts requests for the limits that functions set; without it there are no limits
 * @returns the answer, or undefined when there is no function of that name
 */
export async function callFunction(
  folder: string,
  name: string,
  message: IncomingMessage,
  response: ServerResponse,
  origin: string,
  variables: Environment,
  taken?: SlidingWindow,
): Promise<Response | undefined> {
  const file = join(folder, `${name}.ts`);
  if (!/^[\w-]+$/.test(name) || !existsSync(file)) return undefined;
  const module: { default: NetlifyFunction; config?: Config } = await import(
    /* @vite-ignore */ pathToFileURL(file).href
  );
  const wait = taken && waitFor(module.config, message.socket.remoteAddress ?? '', taken);
  if (typeof wait === 'number') {
    message.resume();
    const headers = { 'content-type': 'text/plain', 'retry-after': String(wait) };
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
  return environment.run(variables, async () =>
    module.default(request, contextOf(message, request)),
  );
}

/**
 * The seconds to wait where the function's own limit is reached. Netlify takes an `aggregateBy` that is no
 * list for the whole domain, so that one sender could shut out all others.
 */
function waitFor(config: Config | undefined, address: string, taken: SlidingWindow): number | null {
  if (config === undefined || !('rateLimit' in config) || !config.rateLimit) return null;
  const { windowLimit, windowSize, aggregateBy } = config.rateLimit;
  const isByAddress = Array.isArray(aggregateBy) && aggregateBy.includes('ip');
  const sender = `${String(config.path)} ${isByAddress ? address : ''}`;
  return taken.take(sender, { requests: windowLimit, seconds: windowSize });
}

/** The part of Netlify's context that this shop's functions use. */
function contextOf(message: IncomingMessage, request: Request): Context {
  const context = {
    ip: message.socket.remoteAddress ?? '',
    requestId: crypto.randomUUID(),
    url: new URL(request.url),
    params: {},
    site: {},
    waitUntil: (work: Promise<unknown>) => void work.catch((thrown) => console.error(thrown)),
  };
  return context as unknown as Context;
}

/** undefined when there is more; the rest is then read and dropped, so that the client gets the answer. */
async function readAtMost(message: IncomingMessage, limit: number) {
  const chunks: Buffer[] = [];
  let sizeBytes = Number(message.headers['content-length'] ?? 0);
  if (sizeBytes <= limit) {
    sizeBytes = 0;
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = chunk;
      sizeBytes += bytes.length;
      if (sizeBytes > limit) break;
      chunks.push(bytes);
    }
  }
  if (sizeBytes <= limit) return new Uint8Array(Buffer.concat(chunks));
  message.resume();
  return undefined;
}
