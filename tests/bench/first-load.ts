import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { launchBrowser, PHONE } from '../browser/browser.ts';
import { listen } from '../browser/listen.ts';
import { openBuiltShop, waitForProducts } from './built-shop.ts';
import { type Figure, figure, inTurns, median, ratioOf } from './report.ts';

const PRODUCTS = 10_000;
const ROUNDS = 5;
/** How long each request of the phone waits before it is forwarded; CORS preflights wait too. */
const REQUEST_DELAY_MS = 150;
/** A first visit with two origins may take this many times as long as with one. */
const LIMIT = 1.1;

/** A first visit until the whole catalogue has arrived: the backend on a second origin, against one. */
export async function measureFirstLoad(): Promise<Figure[]> {
  await using oneOrigin = await openSite({});
  await using twoOrigins = await openSite({ WEFT_SECOND_ORIGIN: 'yes' });
  await using browser = await launchBrowser();
  const seconds = await inTurns(
    { rounds: ROUNDS, warmUps: 1 },
    {
      one: () => firstLoad(browser, oneOrigin.url),
      two: () => firstLoad(browser, twoOrigins.url),
    },
  );
  return [
    figure(`${PRODUCTS} products, one origin`, median(seconds.one), 's'),
    figure('the backend on a second origin', median(seconds.two), 's'),
    figure('second origin against one', ratioOf(seconds.two, seconds.one), 'times', LIMIT),
  ];
}

/** The seconds of a first visit in an empty browser, until all products are counted. */
async function firstLoad(browser: Browser, url: string): Promise<number> {
  await using context = await browser.newContext({ viewport: PHONE });
  const page = await context.newPage();
  const beganMs = performance.now();
  await page.goto(url);
  await waitForProducts(page, PRODUCTS);
  return (performance.now() - beganMs) / 1000;
}

/**
 * A shop behind a proxy that delays each request by REQUEST_DELAY_MS. The proxy also stands for the second
 * origin: pages of `localhost` then ask the backend at `127.0.0.1`, on the same port.
 *
 * @param settings of the build
 */
async function openSite(settings: Readonly<Record<string, string>>) {
  const shop = await openBuiltShop(settings);
  await importRows(shop.backend, generateProducts(PRODUCTS));
  const port = Number(new URL(shop.url).port);
  const proxy = createServer((message, response) => {
    const { method, url, headers } = message;
    const forwarded = request({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    void setTimeout(REQUEST_DELAY_MS).then(() => message.pipe(forwarded));
  });
  // WebSockets are forwarded without a delay.
  proxy.on('upgrade', (message, socket) => {
    const { method, url, rawHeaders } = message;
    const forwarded = connect(port, '127.0.0.1');
    // `rawHeaders` holds names and values in turns.
    const lines = rawHeaders.flatMap((name, i) => (i % 2 ? [] : [`${name}: ${rawHeaders[i + 1]}`]));
    forwarded.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.pipe(forwarded).pipe(socket);
    for (const end of [socket, forwarded]) end.on('error', () => end.destroy());
  });
  const proxyPort = await listen(proxy);
  return {
    url: `http://localhost:${proxyPort}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await shop[Symbol.asyncDispose]();
    },
  };
}
