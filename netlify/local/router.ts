/**
 * Which part of the shop answers a request:
 *
 *   /rest/v1, /auth/v1          the embedded backend
 *   /.netlify/functions/<name>  netlify/functions/<name>.ts, and what a rule leads there
 *   /.netlify/images            pictures, in the one size they have
 *   /local/mail                 what the backend would have sent by mail
 *   /local/paypal/sdk.js        the emulator of PayPal's SDK
 *   anything else               the built site, under its `_headers` and `_redirects`
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Backend } from '../../supabase/local/backend.ts';
import { messageOf } from '../../supabase/local/failures.ts';
import type { SlidingWindow } from '../../supabase/local/sliding-window.ts';
import { redirectsText, REWRITES } from '../build/site-rules.ts';
import { sendResponse, toRequest } from './bridge.ts';
import { answerPreflight, isPreflight, openToAll } from './cors.ts';
import type { Environment } from './functions.ts';
import { callFunction } from './functions.ts';
import { findImage, IMAGES_PATH } from './images.ts';
import { MAIL_PATH, mailPage } from './mail-page.ts';
import type { LocalPayments } from './payments.ts';
import { isOwnHost } from './own-host.ts';
import { parseRules, rulesOfFolder } from './rules.ts';
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
  /** Variables for the functions, beside where the backend is. */
  readonly environment?: Environment;
  readonly payments?: LocalPayments;
  /** Counts requests for the limits that the functions set; without it there are none. */
  readonly taken?: SlidingWindow;
  /** Gets a line for each answer of 500, which is a bug. */
  readonly log: (line: string) => void;
}

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** As the client reached the shop. */
  readonly origin: string;
  /** Decoded, without the query. */
  readonly path: string;
  /** Where a rewrite leads the path. */
  readonly target: string;
}

/** For sources: no build has written rules for them, and they are one document. */
const WITHOUT_BUILD = parseRules({
  headers: '',
  redirects: redirectsText(REWRITES).replaceAll('/checkout.html', '/index.html'),
});
const FUNCTION = /^\/\.netlify\/functions\/([^/]+)\/?$/;

/** @param ownUrl the shop's address, known once it listens */
export function createRouter(options: RouterOptions, ownUrl: () => string): RequestListener {
  const answer = answerer(options, ownUrl);
  return (message, response) => {
    answer(message, response).catch((thrown: unknown) => {
      // The client went away and gets no answer.
      if (message.socket.destroyed) return;
      options.log(`${message.method} ${message.url} failed: ${messageOf(thrown)}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Type': 'text/plain' }).end('Internal server error');
    });
  };
}

function answerer(options: RouterOptions, ownUrl: () => string) {
  const { backend, payments, site } = options;
  const readRules = site.kind === 'built' ? rulesOfFolder(site.folder) : () => WITHOUT_BUILD;
  const files = site.kind === 'built' ? serveFolder(site.folder, readRules) : undefined;

  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOwnHost(message, ownUrl())) {
      const sentence = `The shop on this machine answers at ${ownUrl()} only.`;
      response.writeHead(421, { 'Content-Type': 'text/plain' }).end(sentence);
      return;
    }
    const origin = originOf(message) ?? ownUrl();
    const path = pathOf(message);
    if (path === undefined || message.method === 'TRACE') {
      response.writeHead(400, { 'Content-Type': 'text/plain' }).end('Bad request');
      return;
    }
    const target = readRules().rewrite(path) ?? path;
    const exchange = { message, response, origin, path, target };
    const send = (answer: Response | null | undefined) =>
      sendResponse(message, response, answer ?? new Response('Not found', { status: 404 }));
    if (/^https?:/.test(target)) return send(await passOnTo(target, exchange));
    if (/^\/(rest|auth)\/v1(\/|$)/.test(path)) return send(await askBackend(backend, exchange));
    if (path === MAIL_PATH) return send(mailPage(backend.mails));
    if (path.startsWith('/local/')) {
      return send(await payments?.answerPage(toRequest(message, response, origin)));
    }
    if (path === IMAGES_PATH) {
      const image = findImage(new URL(origin + message.url).searchParams);
      if (image.kind === 'own' && files) return files(message, response, image.path);
      const sentence = image.kind === 'rejected' ? image.sentence : 'only for a built site';
      return send(new Response(sentence, { status: 400 }));
    }
    if (target.startsWith('/.netlify/')) {
      return send(await askFunction(options, exchange, ownUrl()));
    }
    if (files !== undefined) return files(message, response, path);
    if (site.kind === 'middleware') passOn(site, exchange);
  };
}

/** Between two servers, not for what is behind them. */
const OF_THE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding'];

/** What a rewrite to another origin does: the same request there, of which the browser knows nothing. */
async function passOnTo(
  target: string,
  { message, response, origin }: Exchange,
): Promise<Response> {
  const { method, headers, body } = toRequest(message, response, origin);
  for (const name of OF_THE_CONNECTION) headers.delete(name);
  const { search } = new URL(origin + message.url);
  const text = body === null ? null : await new Response(body).text();
  const answer = await fetch(target + search, { method, headers, body: text });
  const kept = new Headers(answer.headers);
  // `fetch` has unpacked it.
  for (const name of [...OF_THE_CONNECTION, 'content-encoding']) kept.delete(name);
  return new Response(await answer.text(), { status: answer.status, headers: kept });
}

async function askBackend(backend: Backend, exchange: Exchange): Promise<Response> {
  const { message, response, origin } = exchange;
  if (isPreflight(message)) return answerPreflight(message);
  const peer = message.socket.remoteAddress ?? null;
  return openToAll(await backend.fetch(toRequest(message, response, origin), peer));
}

async function askFunction(
  { backend, functionsFolder, payments, environment, taken }: RouterOptions,
  { message, response, origin, target }: Exchange,
  url: string,
): Promise<Response | undefined> {
  const name = FUNCTION.exec(target)?.[1] ?? '';
  const variables = {
    URL: url,
    VITE_SUPABASE_URL: url,
    VITE_SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
    SUPABASE_SECRET_KEY: backend.secretKey,
    ...payments?.environment,
    ...environment,
  };
  return callFunction(functionsFolder, name, message, response, origin, variables, taken);
}

function passOn(
  site: Extract<Site, { kind: 'middleware' }>,
  { message, response, origin, path, target }: Exchange,
): void {
  if (target !== path) message.url = target + new URL(origin + message.url).search;
  site.handle(message, response, () => response.writeHead(404).end('Not found'));
}

function originOf(message: IncomingMessage): string | undefined {
  const { host } = message.headers;
  return URL.parse(`http://${host ?? ''}`)?.origin;
}

function pathOf(message: IncomingMessage): string | undefined {
  try {
    const { url = '/' } = message;
    // A proxy's request line names a whole address.
    return url.startsWith('/') ? decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '/') : undefined;
  } catch {
    return undefined;
  }
}
