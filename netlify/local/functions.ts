/**
 * Runs netlify/functions as Netlify does: it calls a file's default export with the request, and gives it the
 * environment through `Netlify.env`. Each shop in this process has its own environment. Netlify's second argument,
 * the context, is missing, because no function of the shop uses it. Limits on requests are Netlify's own to keep.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** Calls the function of that name. Returns its answer, or undefined when there is no such function. */
export async function invokeFunction(
  folder: string,
  name: string,
  message: IncomingMessage,
  response: ServerResponse,
  origin: string,
  variables: Environment,
): Promise<Response | undefined> {
  const file = join(folder, `${name}.ts`);
  if (!/^[\w-]+$/.test(name) || !existsSync(file)) return undefined;
  const module: { default: NetlifyFunction } = await import(
    /* @vite-ignore */ pathToFileURL(file).href
  );
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
