/**
 * Which part of the shop answers a request:
 *
 *   /rest/v1, /auth/v1          the embedded backend
 *   /.netlify/functions/<name>  netlify/functions/<name>.ts, also for a path that is rewritten to it
 *   /.netlify/images            pictures, never resized
 *   /local/mail                 the mails that a hosted backend would have sent
 *   /local/paypal/sdk.js        the emulator of PayPal's SDK
 *   anything else               the built site, under its `_headers` and `_redirects`
 *
 * A request whose path is rewritten to another origin is passed on to that origin.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Backend } from '../../supabase/local/backend.ts';
import { messageWithoutStop } from '../../supabase/local/failures.ts';
import { REWRITES } from '../build/site-rules.ts';
import { sendResponse, toRequest } from './bridge.ts';
import { allowAnyOrigin, answerPreflight, isPreflight } from './cors.ts';
import { invokeFunction, type Environment } from './functions.ts';
import { findImage, IMAGES_PATH } from './images.ts';
import { MAIL_PATH, mailPage } from './mail-page.ts';
import type { LocalPayments } from './payments.ts';
import { isOwnHost } from './own-host.ts';
import { rulesOf, rulesOfFolder } from './rules.ts';
import { serveFolder } from './site-files.ts';

export type Site =
  | { readonly kind: 'built'; readonly folder: string }
  | {
      readonly kind: 'middleware';
      handle(request: IncomingMessage, response: ServerResponse, next: () => void): void;
    };

export interface RouterOptions {
  readonly site: Site;
  readonly backend: Backend;
  readonly functionsFolder: string;
  /** Variables for the functions, besides those that name the backend. */
  readonly environment?: Environment;
  readonly payments?: LocalPayments;
  /** Gets a line for each answer of 500, which is a bug. */
  readonly log: (line: string) => void;
}

/** A request that waits for its answer. */
interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** The origin that the client used. */
  readonly origin: string;
  /** Decoded, without the query. */
  readonly path: string;
  /** The path or address that a rewrite gives; else the path itself. */
  readonly target: string;
}

/** The rules of `npm run dev`, for which no build has written rules: there, one document is every page. */
const RULES_WITHOUT_BUILD = rulesOf(
  REWRITES.map(({ from, to }) => ({
    from,
    to: /\.html$|product$/.test(to) ? '/index.html' : to,
  })),
);
const FUNCTION_PATH = /^\/\.netlify\/functions\/([^/]+)\/?$/;

/** A listener that answers every request. @param ownUrl the shop's address, known once it listens */
export function createRouter(options: RouterOptions, ownUrl: () => string): RequestListener {
  const answer = openRoutes(options, ownUrl);
  return (message, response) => {
    answer(message, response).catch((thrown: unknown) => {
      // The client went away and gets no answer.
      if (message.socket.destroyed) return;
      options.log(`${message.method} ${message.url} failed: ${messageWithoutStop(thrown)}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Type': 'text/plain' }).end('Internal server error');
    });
  };
}

function openRoutes(options: RouterOptions, ownUrl: () => string) {
  const { backend, payments, site } = options;
  const readRules =
    site.kind === 'built' ? rulesOfFolder(site.folder) : async () => RULES_WITHOUT_BUILD;
  const serveFile = site.kind === 'built' ? serveFolder(site.folder, readRules) : undefined;

  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOwnHost(message)) {
      const sentence = `The shop on this machine answers at ${ownUrl()} only.`;
      response.writeHead(421, { 'Content-Type': 'text/plain' }).end(sentence);
      return;
    }
    const { origin } = new URL(`http://${message.headers.host}`);
    const path = pathOf(message);
    // `new Request` throws for TRACE.
    if (path === undefined || message.method === 'TRACE') {
      response.writeHead(400, { 'Content-Type': 'text/plain' }).end('Bad request');
      return;
    }
    const target = (await readRules()).rewrite(path) ?? path;
    const exchange = { message, response, origin, path, target };
    const send = (answer: Response | null | undefined) =>
      sendResponse(message, response, answer ?? new Response('Not found', { status: 404 }));
    if (/^https?:/.test(target)) return send(await proxy(target, exchange));
    if (/^\/(rest|auth)\/v1(\/|$)/.test(path)) {
      // The library decodes and resolves paths itself, and would answer other paths of its own.
      const isPlain = new URL(origin + message.url).pathname === path;
      return send(isPlain ? await askBackend(backend, exchange) : null);
    }
    if (path === MAIL_PATH) return send(mailPage(backend.mails));
    if (path.startsWith('/local/')) {
      return send(await payments?.answerPage(toRequest(message, response, origin)));
    }
    if (path === IMAGES_PATH) {
      const image = findImage(new URL(origin + message.url).searchParams);
      if (image.kind === 'picture' && serveFile) return serveFile(message, response, image.path);
      const sentence = image.kind === 'rejected' ? image.sentence : 'only for a built site';
      return send(new Response(sentence, { status: 400 }));
    }
    if (target.startsWith('/.netlify/')) {
      return send(await askFunction(options, exchange, ownUrl()));
    }
    if (serveFile !== undefined) return serveFile(message, response, path);
    if (site.kind === 'middleware') serveSources(site, exchange);
  };
}

/** Headers of one connection, which a proxy must not pass on. */
const HOP_BY_HOP_HEADERS = ['host', 'connection', 'content-length', 'transfer-encoding'];

/** Sends the request to another origin, as Netlify does for a rewrite to one. */
async function proxy(target: string, { message, response, origin }: Exchange): Promise<Response> {
  const { method, headers, body } = toRequest(message, response, origin);
  for (const name of HOP_BY_HOP_HEADERS) headers.delete(name);
  const { search } = new URL(origin + message.url);
  const text = body === null ? null : await new Response(body).text();
  const answer = await fetch(target + search, { method, headers, body: text });
  const answerHeaders = new Headers(answer.headers);
  // `fetch` has decompressed the body.
  for (const name of [...HOP_BY_HOP_HEADERS, 'content-encoding']) answerHeaders.delete(name);
  return new Response(await answer.text(), { status: answer.status, headers: answerHeaders });
}

async function askBackend(backend: Backend, exchange: Exchange): Promise<Response> {
  const { message, response, origin } = exchange;
  if (isPreflight(message)) return answerPreflight(message);
  const peer = message.socket.remoteAddress ?? null;
  return allowAnyOrigin(await backend.fetch(toRequest(message, response, origin), peer));
}

async function askFunction(
  { backend, functionsFolder, payments, environment, site }: RouterOptions,
  { message, response, origin, target }: Exchange,
  url: string,
): Promise<Response | undefined> {
  const name = FUNCTION_PATH.exec(target)?.[1] ?? '';
  const variables = {
    URL: url,
    VITE_SUPABASE_URL: url,
    VITE_SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
    SUPABASE_SECRET_KEY: backend.secretKey,
    // On Netlify the functions have these files with them (netlify.toml).
    ...(site.kind === 'built' && { SITE_FOLDER: site.folder }),
    ...payments?.environment,
    ...environment,
  };
  return invokeFunction(functionsFolder, name, message, response, origin, variables);
}

function serveSources(
  site: Extract<Site, { kind: 'middleware' }>,
  { message, response, origin, path, target }: Exchange,
): void {
  if (target !== path) message.url = target + new URL(origin + message.url).search;
  site.handle(message, response, () => response.writeHead(404).end('Not found'));
}

function pathOf(message: IncomingMessage): string | undefined {
  try {
    const { url = '/' } = message;
    // Only a request to a proxy names a whole address, and this host is no proxy.
    return url.startsWith('/') ? decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '/') : undefined;
  } catch {
    return undefined;
  }
}
