/**
 * Runs netlify/functions as Netlify does: it calls a file's default export with the request, and gives it the
 * environment through `Netlify.env`. Each shop in this process has its own environment. Netlify's second argument,
 * the context, is missing, because no function of the shop uses it. Limits on requests are Netlify's own to keep.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Netlify rejects larger bodies before the function sees them. */
const MAX_BODY_BYTES = 6 * 1024 * 1024;

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
  request: Request,
  variables: Environment,
): Promise<Response | undefined> {
  const file = join(folder, `${name}.ts`);
  if (!/^[\w-]+$/.test(name) || !existsSync(file)) return undefined;
  const module: { default: NetlifyFunction } = await import(
    /* @vite-ignore */ pathToFileURL(file).href
  );
  const body = await request.arrayBuffer();
  if (body.byteLength > MAX_BODY_BYTES) {
    return new Response('Request Entity Too Large', { status: 413 });
  }
  const { url, method, headers, signal } = request;
  const init = { method, headers, signal, ...(body.byteLength > 0 && { body }) };
  return environment.run(variables, async () => module.default(new Request(url, init)));
}
