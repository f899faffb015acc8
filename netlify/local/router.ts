/**
 * Which part of the shop answers a request:
 *
 *   /rest/v1, /auth/v1          the embedded backend
 *   /.netlify/functions/<name>  netlify/functions/<name>.ts, also for a path that is rewritten to it
 *   /.netlify/images            pictures, never resized
 *   /local/mail                 the mails that a hosted backend and the shop would have sent
 *   /local/api/v1/purge         what functions tell the CDN
 *   /local/paypal/sdk.js        the emulator of PayPal's SDK
 *   anything else               the built site, under its `_headers` and `_redirects`
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { etag } from 'hono/etag';
import { getPath } from 'hono/utils/url';
import type { Backend } from '../../supabase/local/backend.ts';
import { messageWithoutStop } from '../../supabase/local/failures.ts';
import { REWRITES } from '../build/site-rules.ts';
import type { Cdn } from './cdn.ts';
import { type Environment, invokeFunction } from './functions.ts';
import { IMAGES_PATH } from './images.ts';
import { MAIL_PATH, mailPage } from './mail-page.ts';
import { isOwnHost } from './own-host.ts';
import type { LocalPayments } from './payments.ts';
import { rulesOf, rulesOfFolder, type SiteRules } from './rules.ts';
import { brotli, requestedPath, serveFolder } from './site-files.ts';

export type Site =
  | { readonly kind: 'built'; readonly folder: string }
  | {
      readonly kind: 'middleware';
      handle(request: IncomingMessage, response: ServerResponse, next: () => void): void;
    };

export interface RouterOptions {
  /** Without it the shop has no pages. */
  readonly site?: Site;
  readonly backend: Backend;
  readonly functionsFolder: string;
  /** Variables for the functions, besides those that name the backend. */
  readonly environment?: Environment;
  readonly payments?: LocalPayments;
  /** Keeps answers of the catalogue; without it each is asked for anew. */
  readonly cdn?: Cdn;
  /** Gets a line for each answer of 500, which is a bug. */
  readonly log: (line: string) => void;
}

type HostContext = Context<{ Bindings: HttpBindings }>;

/** A build writes the rules. Without one, index.html is every page, also those of products. */
const RULES_WITHOUT_BUILD = rulesOf(
  REWRITES.map(({ from, to }) => ({
    from,
    to: /\.html$|product$/.test(to) ? '/index.html' : to,
  })),
);

/** A listener that answers every request. @param ownUrl the shop's address, known once it listens */
export function createRouter(options: RouterOptions, ownUrl: () => string): RequestListener {
  const { backend, cdn, payments, site } = options;
  const readRules = site?.kind === 'built' ? rulesOfFolder(site.folder) : undefined;
  let rules = RULES_WITHOUT_BUILD;
  const app = new Hono<{ Bindings: HttpBindings }>({
    getPath: (request) => targetOf(request, rules),
  });

  app.onError((thrown, c) => {
    // A client that went away gets no answer.
    const { incoming } = c.env;
    if (!incoming.socket.destroyed) {
      options.log(`${incoming.method} ${incoming.url} failed: ${messageWithoutStop(thrown)}`);
    }
    return c.text('Internal server error', 500);
  });
  app.notFound((c) => c.text('Not found', 404));
  app.use(async (c, next) => {
    if (isOwnHost(c.env.incoming)) return next();
    return c.text(`The shop on this machine answers at ${ownUrl()} only.`, 421);
  });
  app.use(compress());

  for (const service of ['/rest/v1/*', '/auth/v1/*']) {
    // As at hosted Supabase, key and token decide what a page may do, not its origin.
    app.all(service, cors({ maxAge: 3600 }), (c) => askBackend(c, backend));
  }
  app.all('/.netlify/functions/:name', async (c) => {
    const variables = {
      URL: ownUrl(),
      VITE_SUPABASE_URL: ownUrl(),
      VITE_SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
      SUPABASE_SECRET_KEY: backend.secretKey,
      // One of the demo accounts has it.
      STAFF_ROLE: 'staff',
      // On Netlify the functions have these files with them (netlify.toml).
      ...(site?.kind === 'built' && { SITE_FOLDER: site.folder }),
      ...payments?.environment,
      // Where functions tell the CDN what has changed (netlify/lib/catalogue-cache.ts).
      ...(cdn && {
        SITE_ID: 'local',
        NETLIFY_PURGE_API_TOKEN: 'local',
        PURGE_API_URL: `${ownUrl()}/local`,
      }),
      ...options.environment,
    };
    const { functionsFolder } = options;
    const name = c.req.param('name');
    const invoke = async () =>
      (await invokeFunction(functionsFolder, name, c.req.raw, variables)) ?? c.notFound();
    return cdn && name === 'catalogue' && c.req.method === 'GET'
      ? cdn.answer(c.req.raw, invoke)
      : invoke();
  });
  app.get(IMAGES_PATH, (c) => c.text('The address names no picture of this site', 400));
  app.all('/.netlify/*', (c) => c.notFound());
  app.get(MAIL_PATH, () => mailPage(backend.mails));
  app.post('/local/api/v1/purge', async (c) => {
    const { cache_tags: tags }: { readonly cache_tags: readonly string[] } = await c.req.json();
    cdn?.purge(tags);
    return c.body(null, 202);
  });
  app.get('/local/*', async (c) => (await payments?.answerPage(c.req.raw)) ?? c.notFound());
  if (site?.kind === 'built') {
    const serveFile = serveFolder(site.folder);
    app.get('*', brotli(), etag(), (c) => serveFile(c, rules));
  }
  if (site?.kind === 'middleware') app.all('*', (c) => serveSources(c, site));
  const listener = getRequestListener(
    async (request, env) => {
      if (readRules) rules = await readRules();
      return app.fetch(request, env);
    },
    // The library's own `Request` and `Response` would else replace those of the whole process.
    { overrideGlobalObjects: false },
  );
  return (message, response) => void listener(message, response);
}

/** The path that answers a request: its own, or the one to which a rule rewrites it. */
function targetOf(request: Request, rules: SiteRules): string {
  const path = requestedPath(request);
  return rules.rewrite(path) ?? path;
}

async function askBackend(c: HostContext, backend: Backend): Promise<Response> {
  // @supabase/lite resolves the address by itself. It must not arrive at another path than this router.
  if (new URL(c.req.url).pathname !== c.req.path) return c.notFound();
  return backend.fetch(c.req.raw, c.env.incoming.socket.remoteAddress ?? null);
}

/** Lets the server of the sources answer, under the address that a rewrite gives. */
function serveSources(
  c: HostContext,
  site: Extract<Site, { kind: 'middleware' }>,
): Promise<Response> {
  const { incoming, outgoing } = c.env;
  if (c.req.path !== getPath(c.req.raw)) {
    incoming.url = c.req.path + new URL(c.req.url).search;
  }
  return new Promise((resolve) => {
    outgoing.once('close', () => resolve(RESPONSE_ALREADY_SENT));
    site.handle(incoming, outgoing, () => resolve(c.text('Not found', 404)));
  });
}
