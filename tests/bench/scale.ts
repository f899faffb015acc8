import { readState } from '../../src/db/catalogue-log.ts';
import { openInMemory } from '../../src/db/open.ts';
import { fieldsOf } from '../../src/domain/fields.ts';
import { rowsIn } from '../../src/domain/product-columns.ts';
import { keyOf, type ProductKey } from '../../src/domain/product.ts';
import { catalogueRemote } from '../../src/remote/catalogue.ts';
import { pullCatalogue } from '../../src/sync/pull-catalogue.ts';
import { Cdn } from '../../netlify/local/cdn.ts';
import { startHost } from '../../netlify/local/host.ts';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { openBackend } from '../../supabase/local/backend.ts';
import { startPostgres } from '../postgres/server.ts';
import { type Figure, figure } from './report.ts';

const PRODUCTS = 10_000;
const SECOND_MS = 1000;
const HOUR_S = 3600;
/** Each phone polls once a minute (src/sync/catalogue.ts). */
const POLL_S = 60;
/** The changes of the hour; the fifth is of every price, the others of ten products each. */
const CHANGES = 10;
const MOST_CALLS = 600;

/**
 * How many requests for the catalogue reach PostgreSQL: phones that each make a first visit, and then stay for an
 * hour in which the catalogue changes ten times. The host, its functions and PostgreSQL are real; the phones and the
 * CDN before the host are in this process, and their time is simulated. No purge helps them.
 *
 * Several edges multiply the polls that reach the database, at most by their number: each asks 4 times a minute. The
 * answers that are kept for a year are in the CDN's durable cache, which the edges share.
 */
export async function measureScale(): Promise<Figure[]> {
  const server = await startPostgres();
  const backend = await openBackend({
    dataFolder: 'memory',
    databaseUrl: server.url,
    log: () => undefined,
  });
  const host = await startHost({
    port: 0,
    backend,
    functionsFolder: new URL('../../netlify/functions', import.meta.url).pathname,
    log: console.error,
  });
  try {
    await importRows(backend, generateProducts(PRODUCTS));
    const many = await measureHour(host.url, 1000, backend.query);
    const few = await measureHour(host.url, 100, backend.query);
    return [
      figure('1,000 phones: requests', many.requests, 'requests'),
      figure('1,000 phones: of these to PostgreSQL', many.calls, 'requests', MOST_CALLS),
      figure('1,000 phones: sent by functions', many.bytes, 'bytes'),
      figure('100 phones: of these to PostgreSQL', few.calls, 'requests', MOST_CALLS),
      figure('1,000 phones against 100', many.calls / few.calls, 'times', 1.1),
      figure('slowest answer of a function', Math.max(many.slowestMs, few.slowestMs), 'ms'),
    ];
  } finally {
    await host.close();
    await backend.close();
    server.stop();
  }
}

interface Phone {
  /** When it comes, and at which second of each minute it polls. */
  readonly second: number;
  version: { readonly ver: number; readonly stamp: string } | null;
}

async function measureHour(
  url: string,
  count: number,
  query: (sql: string, values?: readonly unknown[]) => Promise<unknown>,
) {
  let nowMs = 0;
  const cdn = new Cdn({ now: () => nowMs });
  const totals = { requests: 0, calls: 0, bytes: 0, slowestMs: 0 };
  const throughCdn = (path: string) => {
    totals.requests += 1;
    return cdn.answer(new Request(url + path), async () => {
      totals.calls += 1;
      const beganMs = performance.now();
      const answer = await fetch(url + path);
      const body = await answer.arrayBuffer();
      totals.slowestMs = Math.max(totals.slowestMs, performance.now() - beganMs);
      totals.bytes += body.byteLength;
      return new Response(body, answer);
    });
  };
  const read = async (path: string) => {
    const answer = await throughCdn(path);
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
    return answer.text();
  };
  /** The last key of each page, by the page's text. Parsed once, because all phones read the same pages. */
  const lastKeys = new Map<string, ProductKey>();
  const lastKeyOf = (text: string): ProductKey => {
    const known = lastKeys.get(text);
    if (known) return known;
    const last = rowsIn(fieldsOf(JSON.parse(text))['columns'])?.at(-1);
    if (!last) throw new Error('a page without products');
    const key = keyOf(last);
    lastKeys.set(text, key);
    return key;
  };

  /** Does what `pullCatalogue` does where nothing goes wrong, and stores nothing. */
  async function pull(phone: Phone): Promise<void> {
    const { ver, stamp } = versionIn(await read('/catalogue/head'));
    if (!phone.version) {
      let query = '';
      for (let more = true; more;) {
        const text = await read(`/catalogue/page/${ver}.${stamp}${query}`);
        more = text.includes('"more":true');
        const { skc, id } = lastKeyOf(text);
        query = `?${new URLSearchParams({ skc, id: String(id) })}`;
      }
      phone.version = { ver, stamp };
      return;
    }
    while (phone.version.ver < ver) {
      const from: string = `${phone.version.ver}.${phone.version.stamp}`;
      phone.version = versionIn(await read(`/catalogue/changes/${from}/${ver}.${stamp}`));
    }
  }

  const phones: Phone[] = Array.from({ length: count }, (_, i) => ({
    second: Math.floor((i * POLL_S) / count),
    version: null,
  }));
  for (let second = 0; second < HOUR_S; second += 1) {
    nowMs += SECOND_MS;
    for (const phone of phones) if (phone.second === second % POLL_S) await pull(phone);
    // The changes 0 to 9 come in the middle of each tenth of the hour.
    const change = (second * CHANGES) / HOUR_S - 0.5;
    if (Number.isInteger(change)) {
      await query(
        `update public.products set "Retail Price" = coalesce("Retail Price", 50) + 0.01
         where $1 or id % 1000 = $2`,
        [change === 4, change],
      );
    }
  }
  await checkAgainstRealPhone(url, phones, throughCdn);
  return totals;
}

/** A phone with all of the shop's own code must get to the same version through the same CDN. */
async function checkAgainstRealPhone(
  url: string,
  phones: readonly Phone[],
  throughCdn: (path: string) => Promise<Response>,
): Promise<void> {
  const db = await openInMemory();
  const remote = catalogueRemote({
    url,
    fetch: (input) => {
      const { pathname, search } = new URL(new Request(input).url);
      return throughCdn(pathname + search);
    },
  });
  const failure = await pullCatalogue(
    {
      db,
      remote,
      now: Date.now,
      hesitate: async () => undefined,
      memory: { hasSeenOwnFormat: false },
    },
    AbortSignal.timeout(60_000),
  );
  const { stamp } = (await readState(db))?.version ?? {};
  const late = phones.filter(({ version }) => version?.stamp !== stamp);
  if (failure || late.length > 0) {
    throw new Error(`${late.length} phones differ from a real one: ${JSON.stringify(failure)}`);
  }
}

function versionIn(text: string) {
  // What the function answers.
  return JSON.parse(text) as { readonly ver: number; readonly stamp: string };
}
