/**
 * Draws random requests to the functions. A request that could write is wrong in at least one thing, so that
 * none may change anything. A request that only reads may be right.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { signatureHeaders } from '../../netlify/local/stripe/signature.ts';
import type { Chance } from '../model/kit/chance.ts';
import {
  type Content,
  orderContent,
  orderSpoilers,
  type ShopFacts,
  spoil,
  UPLOAD_SPOILERS,
  uploadContent,
  withExtraFields,
} from './fuzz-contents.ts';
import { anyBytes, anyField, anyHeader, anyText, anyValue, toJson } from './fuzz-values.ts';

/** A request to one function. */
export interface FuzzRequest {
  /** The function's name. */
  readonly name: string;
  /** The path, where it is not `/.netlify/functions/` and the name. */
  readonly path?: string;
  readonly method: string;
  /** With its question mark; empty for none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** A request without the function's name. */
type Drawn = Omit<FuzzRequest, 'name'>;
/** Draws a request to one function. */
type Draw = (chance: Chance, facts: ShopFacts) => Drawn;

const FUNCTIONS_FOLDER = join(import.meta.dirname, '../../netlify/functions');
/** How old a signature of Stripe's may be. */
const TOLERANCE_MS = 300_000;
/** More than a function reads. */
const TOO_MANY_BYTES = 6 * 1024 * 1024 + 1;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND'] as const;
const JSON_TYPES = [
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
] as const;
const OTHER_TYPES = [
  'text/plain',
  'text/plain; application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/ld+json',
  ' ',
] as const;

/** How requests are drawn, by the function's name. */
const DRAWS: Readonly<Record<string, Draw>> = {
  'create-checkout-session': paying('items'),
  'create-paypal-order': paying('cartItems'),
  'capture-paypal-order': posting((chance, { payPalOrder, evesPayPalOrder, orders }) => ({
    orderId: anyValueOr(chance, [
      payPalOrder,
      evesPayPalOrder,
      ...orders,
      'A1'.repeat(8),
      `${payPalOrder} `,
      [payPalOrder],
    ]),
  })),
  'upload-csv': (chance, facts) =>
    spoiltPost(chance, facts, uploadContent(chance), UPLOAD_SPOILERS),
  'undo-import': posting((chance, { importId }) => ({
    importId: chance.pick<unknown>([chance.uuid(), anyValue(chance), `${importId}0`, [importId]]),
  })),
  'end-import': posting((chance, { importId }) => ({
    importId: chance.pick<unknown>([chance.uuid(), anyValue(chance), `${importId}0`, [importId]]),
    confirmed: chance.pick<unknown>([null, 0, -1, anyValue(chance)]),
  })),
  imports: reading((chance) => chance.pick(['', '?file=x', `?file=${'0'.repeat(64)}`])),
  sitemap: reading((chance) => {
    const page = chance.pick(['1', '2', '0', '-1', '99999', '1e3', '%00', '', anyText(chance)]);
    const kind = chance.pick(['products', 'categories', 'x']);
    return chance.happens(0.3) ? '' : `?${kind}=${encodeURIComponent(page.toWellFormed())}`;
  }),
  product: (chance, facts) => ({
    ...reading(() => chance.pick(['', '?size=M', '?size=%00']))(chance, facts),
    path: `/product/${chance.pick(['COAT', 'SOCK/', '', '%00', 'a/b', encodedText(chance)])}`,
  }),
  'order-status': reading((chance, { orders, evesOrder, session }) => {
    const value = () =>
      chance.happens(0.5)
        ? encodedText(chance)
        : chance.pick([...orders, evesOrder, session, 'cs_test_nothing', '%00', '%', '%ff', '']);
    const name = () => chance.pick(['order', 'order', 'session_id', 'session_id', 'order[]', 'x']);
    const pairs = Array.from({ length: chance.between(0, 3) }, () => `${name()}=${value()}`);
    return `?${pairs.join('&')}`;
  }),
  'stripe-webhook': (chance, { events, stripeSecret }) => {
    const body = messageBody(chance, events.stripe);
    return mostlyPost(chance, body, stripeHeaders());

    function stripeHeaders(): Record<string, string> {
      const text = body.toString();
      const sign = (secret: string, ageMs: number, signedText = text) =>
        signatureHeaders(signedText, secret, Date.now() - ageMs);
      return chance.pick([
        () => ({}),
        () => ({ 'stripe-signature': anyHeader(chance) }),
        () => ({ 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${chance.uuid()}` }),
        () => sign(`whsec_${chance.uuid()}`, 0),
        () => sign(stripeSecret, TOLERANCE_MS + chance.between(1000, 1e9)),
        () => sign(stripeSecret, 0, `${text} `),
      ])();
    }
  },
  'paypal-webhook': (chance, { events }) => {
    const names = ['id', 'time', 'sig'].map((name) => `transmission-${name}`);
    const value = () =>
      chance.pick([anyHeader(chance), chance.uuid(), 'SHA256withRSA', new Date().toISOString()]);
    const headers = Object.fromEntries(
      [...names, 'cert-url', 'auth-algo']
        .filter(() => chance.happens(0.8))
        .map((name) => [`paypal-${name}`, value()]),
    );
    return mostlyPost(chance, messageBody(chance, events.paypal), headers);
  },
  'delete-account': posting((chance) => ({
    // None of these is Ada's password.
    password: anyValueOr(chance, [
      'secret-2',
      'Secret-1',
      '',
      null,
      ['secret-1'],
      'x'.repeat(5000),
    ]),
  })),
  'export-account': reading((_, { evesOrder }) => `?user=${evesOrder}`),
  messages: (chance) => mostlyPost(chance, chance.happens(0.5) ? null : anyBytes(chance)),
  upkeep: (chance) => mostlyPost(chance, chance.happens(0.5) ? null : anyBytes(chance)),
  reconcile: (chance) => mostlyPost(chance, chance.happens(0.5) ? null : anyBytes(chance)),
};

/** The names of all functions in netlify/functions. */
export function functionNames(): readonly string[] {
  const files = readdirSync(FUNCTIONS_FOLDER).filter((file) => file.endsWith('.ts'));
  return files.map((file) => file.replace(/\.ts$/, ''));
}

/** Draws a request to a function. @throws Error for a function that DRAWS does not have */
export function drawRequest(name: string, chance: Chance, facts: ShopFacts): FuzzRequest {
  const draw = DRAWS[name];
  if (!draw) throw new Error(`no requests are drawn for ${name}`);
  const drawn = draw(chance, facts);
  const separator = drawn.query === '' ? '?' : '&';
  const query = drawn.query + (chance.happens(0.2) ? `${separator}next=//evil.example` : '');
  return { ...drawn, name, query, headers: { ...oddHeaders(chance), ...drawn.headers } };
}

/** Draws a spoilt request to pay. @param linesField the name of the field for the lines */
function paying(linesField: string): Draw {
  const spoilers = orderSpoilers(linesField);
  return (chance, facts) =>
    spoiltPost(chance, facts, orderContent(linesField, chance, facts), spoilers);
}

/** A request that is wrong in its token, its form or its content. */
function spoiltPost(
  chance: Chance,
  facts: ShopFacts,
  content: Content,
  spoilers: Parameters<typeof spoil>[1],
): Drawn {
  const whole = () => withExtraFields(content, chance);
  const spoilt = () => withExtraFields(spoil(content, spoilers, chance, facts), chance);
  const { ada, eve } = facts;
  const byAda = `Bearer ${ada.token}`;
  return chance.weighted([
    [1, () => jsonPost(chance, chance.pick(facts.badTokens), toJson(whole()))],
    [1, () => jsonPost(chance, chance.pick(facts.badTokens), toJson(spoilt()))],
    [2, () => malformed(chance, byAda, toJson(whole()))],
    [6, () => jsonPost(chance, byAda, toJson(spoilt()))],
    [0.5, () => jsonPost(chance, `Bearer ${eve.token}`, toJson({ ...spoilt(), userId: ada.id }))],
  ])();
}

/** Draws a post whose content changes nothing, even with a valid token. */
function posting(contentOf: (chance: Chance, facts: ShopFacts) => Content): Draw {
  return (chance, facts) => {
    const text = toJson(withExtraFields(contentOf(chance, facts), chance));
    const token = tokenOf(chance, facts);
    return chance.happens(0.2) ? malformed(chance, token, text) : jsonPost(chance, token, text);
  };
}

/** A request with this body, mostly a post. */
function mostlyPost(chance: Chance, body: Buffer | null, headers: Drawn['headers'] = {}): Drawn {
  return { method: mostly('POST', chance), query: '', headers, body };
}

/** Draws a request that reads. */
function reading(queryOf: (chance: Chance, facts: ShopFacts) => string): Draw {
  return (chance, facts) => ({
    method: mostly('GET', chance),
    query: queryOf(chance, facts),
    headers: { authorization: tokenOf(chance, facts) },
    body: null,
  });
}

function jsonPost(chance: Chance, token: string, text: string): Drawn {
  const headers = { authorization: token, 'content-type': chance.pick(JSON_TYPES) };
  return { method: 'POST', query: '', headers, body: Buffer.from(text) };
}

/** A post with this text, made wrong in its method, its type or its body. */
function malformed(chance: Chance, token: string, text: string): Drawn {
  const post = jsonPost(chance, token, text);
  const bytes = Buffer.from(text);
  return chance.weighted<() => Drawn>([
    [3, () => ({ ...post, method: chance.pick(METHODS.filter((name) => name !== 'POST')) })],
    [
      3,
      () => ({ ...post, headers: { ...post.headers, 'content-type': chance.pick(OTHER_TYPES) } }),
    ],
    [3, () => ({ ...post, body: bytes.subarray(0, chance.between(0, bytes.length - 1)) })],
    [2, () => ({ ...post, body: anyBytes(chance) })],
    [1, () => ({ ...post, body: Buffer.from(`${text}${text}`) })],
    [1, () => ({ ...post, body: Buffer.from(`[${text}]`) })],
    [1, () => ({ ...post, body: Buffer.from(toJson([anyValue(chance)])) })],
    // Not UTF-8.
    [1, () => ({ ...post, body: Buffer.concat([bytes.subarray(0, 2), Buffer.of(0xe9), bytes]) })],
    [0.02, () => ({ ...post, body: Buffer.from(text.padEnd(TOO_MANY_BYTES)) })],
  ])();
}

/** A value of the header `authorization`: mostly of Ada or Eve. */
function tokenOf(chance: Chance, { ada, eve, badTokens }: ShopFacts): string {
  const good = `${chance.pick(['Bearer', 'bearer', 'BEARER '])} ${chance.pick([ada, eve]).token}`;
  return chance.happens(0.7) ? good : chance.pick(badTokens);
}

/** Any text that a query or a path may hold, percent-encoded. */
function encodedText(chance: Chance): string {
  return encodeURIComponent(anyText(chance).toWellFormed());
}

function anyValueOr(chance: Chance, values: readonly unknown[]): unknown {
  return chance.happens(0.5) ? anyValue(chance) : chance.pick(values);
}

/** Mostly the method that the function takes. */
function mostly(method: string, chance: Chance): string {
  return chance.happens(0.9) ? method : chance.pick(METHODS);
}

/** The body of a webhook as it was sent, or changed, or something else. */
function messageBody(chance: Chance, event: string): Buffer {
  const cut = chance.between(0, event.length - 1);
  return chance.pick([
    () => Buffer.from(event),
    () => Buffer.from(event.slice(0, cut)),
    () => Buffer.from(event.slice(0, cut) + anyText(chance) + event.slice(cut + 1)),
    () => Buffer.from(event.replaceAll(/\d{3,}/g, () => String(chance.between(0, 1e9)))),
    () => Buffer.from(toJson(Object.fromEntries([anyField(chance), anyField(chance)]))),
    () => Buffer.from(toJson(anyValue(chance))),
    () => anyBytes(chance),
  ])();
}

function oddHeaders(chance: Chance): Record<string, string> {
  const evil = 'evil.example';
  const odd = {
    host: chance.pick([evil, `${evil}:1`, 'a b', '[', '', 'localhost']),
    'x-forwarded-host': evil,
    'x-forwarded-for': anyHeader(chance),
    origin: `https://${evil}`,
    cookie: anyHeader(chance),
    'accept-encoding': chance.pick(['gzip', 'br;q=x', '*', anyHeader(chance)]),
    'content-encoding': chance.pick(['gzip', 'identity']),
    'x-nf-request-id': anyHeader(chance),
  };
  return Object.fromEntries(Object.entries(odd).filter(() => chance.happens(0.06)));
}
