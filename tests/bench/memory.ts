import type { Browser, Page } from 'playwright-core';
import { launchBrowser, PHONE, waitForWorker } from '../browser/browser.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { openBuiltShop, waitForProducts } from './built-shop.ts';
import { residentPagesMb } from './renderer-memory.ts';
import { type Figure, figure, median } from './report.ts';

const PRODUCTS = 100_000;
const ROUNDS = 3;
/** Of an idle tab. What a start needs in passing has no limit. */
const LIMIT_MB = 150;
/** After this time without work, V8 has returned the memory that only the start needed. */
const IDLE_MS = 30_000;

/** The memory of a tab with a large catalogue, above that of an empty page of the same site. */
export async function measureMemory(): Promise<Figure[]> {
  await using shop = await openBuiltShop();
  await stock(shop.backend, numbered(PRODUCTS));
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(shop.url));
  console.log(`Medians of ${ROUNDS} runs, each in a new Chromium`);
  const above = (name: keyof Round) => median(rounds.map((round) => round[name] - round.empty));
  return [
    figure('an empty page', median(rounds.map(({ empty }) => empty)), 'MB'),
    figure(
      '100,000 products, after their download, above the empty page',
      above('first'),
      'MB',
      LIMIT_MB,
    ),
    figure(
      '100,000 products, when a later start shows them, above the empty page',
      above('shown'),
      'MB',
    ),
    figure(
      '100,000 products, after a later start, above the empty page',
      above('later'),
      'MB',
      LIMIT_MB,
    ),
  ];
}

/** In megabytes, of all pages and workers. */
interface Round {
  readonly empty: number;
  /** Idle after the visit that downloaded the products. */
  readonly first: number;
  /** At once when a later visit shows the products. */
  readonly shown: number;
  /** Idle after that later visit. */
  readonly later: number;
}

async function measure(url: string): Promise<Round> {
  await using browser = await launchBrowser();
  const context = await browser.newContext({ viewport: PHONE });
  const page = await context.newPage();
  await page.goto(`${url}/robots.txt`);
  const empty = await idleMemory(browser, page);
  await page.goto(url);
  await waitForProducts(page, PRODUCTS);
  await waitForWorker(page);
  const first = await idleMemory(browser, page);
  await page.close();
  const again = await context.newPage();
  await again.goto(url);
  await waitForProducts(again, PRODUCTS);
  const shown = await residentPagesMb(browser);
  return { empty, shown, first, later: await idleMemory(browser, again) };
}

async function idleMemory(browser: Browser, page: Page): Promise<number> {
  await page.waitForTimeout(IDLE_MS);
  return residentPagesMb(browser);
}
