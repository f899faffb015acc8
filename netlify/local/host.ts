/**
 * Serves the shop on this machine as Netlify and a hosted Supabase project would together:
 *
 *   /rest/v1, /auth/v1          the embedded backend
 *   /realtime/v1/websocket      the same, as a websocket
 *   /.netlify/functions/<name>  netlify/functions/<name>.ts, and what a rule leads there
 *   /.netlify/images            pictures, in the one size they have
 *   /local/mail                 what the backend would have sent by mail
 *   /local/paypal/sdk.js        what stands in for PayPal's SDK, and below it its API
 *   anything else               the built site, under the rules of netlify.toml
 *
 * It listens on loopback only, on IPv4 and, where there is one, IPv6: browsers resolve `localhost`
 * to either.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Backend } from '../../supabase/local/backend.ts';
import { messageOf, PlainFailure } from '../../supabase/local/failures.ts';
import { resizedPictures } from '../build/resized-pictures.ts';
import { sendResponse, toRequest } from './bridge.ts';
import { answerPreflight, isPreflight, openToAll } from './cors.ts';
import type { Environment } from './functions.ts';
import { callFunction } from './functions.ts';
import { findImage, IMAGES_PATH } from './images.ts';
import { MAIL_PATH, mailPage } from './mail-page.ts';
import type { LocalPayments } from './payments.ts';
import { parseRules } from './rules.ts';
import { serveFolder } from './site-files.ts';
import { serveUpgrades } from './upgrades.ts';

export type Site =
  | { readonly kind: 'built'; readonly folder: string }
  | {
      readonly kind: 'middleware';
      handle(request: IncomingMessage, response: ServerResponse, next: () => void): void;
    };

export interface HostOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** An address other than loopback makes the shop reachable from elsewhere. */
  readonly hostname?: string;
  readonly site: Site;
  readonly backend: Backend;
  readonly functionsFolder: string;
  /** Variables for the functions, beside where the backend is. */
  readonly environment?: Environment;
  readonly payments?: LocalPayments;
  /** Hears about answers of 500, which are bugs. */
  readonly log: (line: string) => void;
  /** The server to use, where something must hook into it before (hot reload). */
  readonly server?: Server;
}

export interface Host {
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

export class PortInUse extends PlainFailure {
  override readonly name = 'PortInUse';
  constructor(port: number, cause: unknown) {
    super(
      `Port ${port} is in use by another program. ` +
        `Stop that one, or choose another port: PORT=${port + 1} npm start.`,
      { cause },
    );
  }
}

const LOOPBACK = ['127.0.0.1', '::1'] as const;
const ROOT = join(import.meta.dirname, '../..');

/** @throws PortInUse */
export async function startHost(options: HostOptions): Promise<Host> {
  const server = options.server ?? createServer();
  const answer = router(options, () => url);
  server.on('request', answer);
  const upgrades = serveUpgrades(
    server,
    options.backend.realtime,
    options.site.kind === 'middleware',
  );
  const { hostname = LOOPBACK[0] } = options;
  await listen(server, options.port, hostname);
  const { port } = server.address() as AddressInfo;
  const servers = [server];
  if (hostname === LOOPBACK[0]) {
    const second = await listenToo(server, answer, port, LOOPBACK[1]).catch(async (thrown) => {
      await stop(server);
      throw thrown;
    });
    if (second !== undefined) servers.push(second);
  }
  const url = `http://${hostname === LOOPBACK[0] ? 'localhost' : hostname}:${port}`;
  options.backend.useSiteUrl(url);
  options.payments?.tell(url);
  return {
    url,
    server,
    async close() {
      upgrades.cutAll();
      await Promise.all(servers.map(stop));
    },
  };
}

/**
 * Finds out early, before anything takes time, whether a port can be had.
 *
 * @throws PortInUse
 */
export async function checkPort(port: number): Promise<void> {
  const probe = createServer();
  await listen(probe, port, LOOPBACK[0]);
  await stop(probe);
}

function router(options: HostOptions, ownUrl: () => string): RequestListener {
  const { backend, functionsFolder, payments, site } = options;
  const toml = readFileSync(join(ROOT, 'netlify.toml'), 'utf8');
  const rules = parseRules(toml);
  const resizable = resizedPictures(toml);
  const files = site.kind === 'built' ? serveFolder(site.folder, rules) : undefined;

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = originOf(message) ?? ownUrl();
    const path = pathOf(message);
    if (path === undefined || message.method === 'TRACE') {
      response.writeHead(400, { 'Content-Type': 'text/plain' }).end('Bad request');
      return;
    }
    const target = rules.rewrite(path) ?? path;
    if (/^\/(rest|auth)\/v1(\/|$)/.test(path)) {
      const peer = message.socket.remoteAddress ?? null;
      const result = isPreflight(message)
        ? answerPreflight(message)
        : openToAll(await backend.fetch(toRequest(message, response, origin), peer));
      await sendResponse(message, response, result);
    } else if (path === MAIL_PATH) {
      await sendResponse(message, response, mailPage(backend.mails));
    } else if (path.startsWith('/local/')) {
      const result = await payments?.answerPage(toRequest(message, response, origin));
      await sendResponse(message, response, result ?? new Response('Not found', { status: 404 }));
    } else if (path === IMAGES_PATH) {
      await answerImage(message, response, new URL(origin + message.url).searchParams);
    } else if (target.startsWith('/.netlify/')) {
      const name = /^\/\.netlify\/functions\/([^/]+)\/?$/.exec(target)?.[1] ?? '';
      const variables = {
        URL: ownUrl(),
        VITE_SUPABASE_URL: ownUrl(),
        VITE_SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
        SUPABASE_SECRET_KEY: backend.secretKey,
        ...payments?.environment,
        ...options.environment,
      };
      const result = await callFunction(
        functionsFolder,
        name,
        message,
        response,
        origin,
        variables,
      );
      await sendResponse(message, response, result ?? new Response('Not found', { status: 404 }));
    } else if (files !== undefined) {
      await files(message, response, path);
    } else if (site.kind === 'middleware') {
      if (target !== path) message.url = target + new URL(origin + message.url).search;
      site.handle(message, response, () => response.writeHead(404).end('Not found'));
    }
  }

  async function answerImage(
    message: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
  ): Promise<void> {
    const image = findImage(query, resizable);
    if (image.kind === 'own' && files !== undefined) {
      await files(message, response, image.path);
    } else if (image.kind === 'elsewhere') {
      await sendResponse(message, response, await fetch(image.url));
    } else {
      const sentence = image.kind === 'refused' ? image.sentence : 'only for a built site';
      await sendResponse(message, response, new Response(sentence, { status: 400 }));
    }
  }

  return (message, response) => {
    answer(message, response).catch((thrown: unknown) => {
      // The client went away; nobody is left to tell.
      if (message.socket.destroyed) return;
      options.log(`${message.method} ${message.url} failed: ${messageOf(thrown)}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Type': 'text/plain' }).end('Internal server error');
    });
  };
}

function originOf(message: IncomingMessage): string | undefined {
  const { host } = message.headers;
  return URL.parse(`http://${host ?? ''}`)?.origin;
}

function pathOf(message: IncomingMessage): string | undefined {
  try {
    return decodeURIComponent((message.url ?? '/').split(/[?#]/, 1)[0] ?? '/');
  } catch {
    return undefined;
  }
}

function listen(server: Server, port: number, hostname: string): Promise<void> {
  return new Promise((done, failed) => {
    const fail = (thrown: Error & { code?: string }) =>
      failed(thrown.code === 'EADDRINUSE' ? new PortInUse(port, thrown) : thrown);
    server.once('error', fail);
    server.listen(port, hostname, () => {
      server.off('error', fail);
      done();
    });
  });
}

/** A second listener for the same shop, or undefined where the machine has no such address. */
async function listenToo(first: Server, answer: RequestListener, port: number, hostname: string) {
  const second = createServer(answer);
  second.on('upgrade', (...upgrade) => first.emit('upgrade', ...upgrade));
  try {
    await listen(second, port, hostname);
    return second;
  } catch (thrown) {
    if (thrown instanceof PortInUse) throw thrown;
    return undefined;
  }
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
}
