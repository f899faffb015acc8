import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Result } from 'lighthouse';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../supabase/local/accounts.ts';
import { launchBrowser, launchProfile, waitForWorker } from '../browser/browser.ts';
import { logIn } from '../browser/log-in.ts';
import { buildSite } from '../build-once.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { CONTROL_PATH, writeControlPage } from './control-page.ts';
import { openLighthouseBrowser } from './lighthouse-browser.ts';
import { type Figure, figure, median, ratioOf, score } from './report.ts';

/** How often each page is visited. */
const RUNS = Number(process.env['RUNS'] || 5);
/** A product of the sample catalogue. */
const PRODUCT_PATH = '/product/WF-1004-MAD';
/** Visited with an empty profile; the later visits are those of a signed-in shopper with a cart. */
const FIRST_VISITS = ['/', CONTROL_PATH, PRODUCT_PATH, '/login'];
const LATER_VISITS = ['/cart', '/checkout', '/admin/import'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
/** Lighthouse gives no points here, so its failed audits are counted. */
const WITHOUT_POINTS = 'agentic-browsing';

/** The fewest points in each category. */
const MIN_POINTS = 100;
/** At most so many times the largest contentful paint of the control page. */
const LCP_LIMIT = 1.1;
/** The pages that shoppers open from a search engine: their largest paint is compared with that of the control page. */
const COMPARED = ['/', PRODUCT_PATH];
/** How much longer than the control page a page may block taps. */
const TBT_LIMIT_MS = 60;
/** Cumulative layout shift, without unit. */
const CLS_LIMIT = 0.01;

/**
 * Lighthouse's mobile preset on the shop's pages, in turns with a page of the catalogue's first 24 cards and
 * no script. `RUNS=1` for a quick look.
 */
export async function measureLighthouse(): Promise<Figure[]> {
  // A new build, because the control page is written into its folder.
  await using site = await temporaryFolder();
  await using profiles = await temporaryFolder();
  await buildSite(site.path);
  const host = fork(fileURLToPath(new URL('./lighthouse-shop.ts', import.meta.url)), [site.path]);
  try {
    const [url] = (await once(host, 'message')) as [string]; // its only message
    await prepare(site.path, `${profiles.path}/shopper`, url);
    return figuresOf(await measure(profiles.path, url));
  } finally {
    host.kill();
  }
}

/** Writes the control page, signs a shopper in and puts a product into the cart. */
async function prepare(site: string, profile: string, url: string): Promise<void> {
  const browser = await launchBrowser();
  await writeControlPage(browser, site, url);
  await browser.close();

  const context = await launchProfile(profile);
  const page = await context.newPage();
  await logIn(page, url, DEMO_ACCOUNTS[0]!.email, DEMO_PASSWORD); // the list has two accounts
  await page
    .getByRole('button', { name: /^Add to Cart/ })
    .first()
    .click();
  await page.getByRole('link', { name: /^Cart.*1$/ }).waitFor();
  await waitForWorker(page);
  await page.waitForLoadState('networkidle');
  await context.close();
}

/** The results of all visits, by path. */
type Results = ReadonlyMap<string, readonly Result[]>;

/** Visits each page `RUNS` times. */
async function measure(profiles: string, url: string): Promise<Results> {
  await using visitor = await openLighthouseBrowser(`${profiles}/visitor`, { keepsStorage: false });
  await using shopper = await openLighthouseBrowser(`${profiles}/shopper`, { keepsStorage: true });
  const results = new Map<string, Result[]>();
  for (let run = 0; run < RUNS; run++) {
    for (const path of [...FIRST_VISITS, ...LATER_VISITS]) {
      const browser = FIRST_VISITS.includes(path) ? visitor : shopper;
      const result = await browser.visit(url + path);
      if (new URL(result.finalDisplayedUrl ?? '').pathname !== path) {
        throw new Error(`${path} led to ${result.finalDisplayedUrl}`);
      }
      printVisit(path, result);
      results.set(path, [...(results.get(path) ?? []), result]);
    }
  }
  return results;
}

/** Prints a line: the scores, the times behind them, and the audits that failed. */
function printVisit(path: string, result: Result): void {
  const scores = CATEGORIES.map((category) => scoreOf(result, category));
  const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'].map(
    (audit) => Math.round(valueOf(result, audit)),
  );
  const machine = `machine ${result.environment.benchmarkIndex}`;
  const notPerformance = CATEGORIES.filter((category) => category !== 'performance');
  const failed = [...notPerformance, WITHOUT_POINTS].flatMap((category) =>
    failedAudits(result, category),
  );
  const cls = valueOf(result, 'cumulative-layout-shift').toFixed(3);
  console.log(
    [path, scores.join(' '), `FCP LCP TBT ${times.join(' ')} ms, CLS ${cls}`, machine].join('  '),
    ...failed,
  );
}

function figuresOf(results: Results): Figure[] {
  const figures: Figure[] = [];
  const blockingOf = (visits: readonly Result[]) =>
    median(visits.map((visit) => valueOf(visit, 'total-blocking-time')));
  const controlBlockingMs = blockingOf(results.get(CONTROL_PATH) ?? []);
  figures.push(figure('blocking time, control page', controlBlockingMs, 'ms'));
  for (const [path, visits] of results) {
    if (path === CONTROL_PATH) continue;
    const longerMs = blockingOf(visits) - controlBlockingMs;
    figures.push(
      figure(`${path} blocking time above the control page’s`, longerMs, 'ms', TBT_LIMIT_MS),
    );
    for (const category of CATEGORIES) {
      const points = median(visits.map((visit) => scoreOf(visit, category)));
      figures.push(score(`${path} ${category}`, points, 'points', MIN_POINTS));
    }
    const cls = median(visits.map((visit) => valueOf(visit, 'cumulative-layout-shift')));
    const failed = median(visits.map((visit) => failedAudits(visit, WITHOUT_POINTS).length));
    figures.push(figure(`${path} layout shift`, cls, '', CLS_LIMIT));
    figures.push(figure(`${path} agentic browsing, failed`, failed, 'audits', 0));
  }
  const lcpOf = (path: string) =>
    (results.get(path) ?? []).map((visit) => valueOf(visit, 'largest-contentful-paint'));
  const control = lcpOf(CONTROL_PATH);
  figures.push(figure('largest paint, control page', median(control), 'ms'));
  for (const path of COMPARED) {
    const lcp = lcpOf(path);
    figures.push(figure(`largest paint, ${path}`, median(lcp), 'ms'));
    figures.push(figure(`${path} to control page`, ratioOf(lcp, control), 'times', LCP_LIMIT));
  }
  return figures;
}

/** From 0 to 100. */
function scoreOf({ categories }: Result, category: string): number {
  return Math.round((categories[category]?.score ?? 0) * 100);
}

/** The value of an audit, in its own unit. */
function valueOf({ audits }: Result, audit: string): number {
  const value = audits[audit]?.numericValue;
  if (value === undefined) throw new Error(`Lighthouse did not measure ${audit}`);
  return value;
}

/** The ids of a category's audits that count and have not passed; Lighthouse calls 0.9 and more passed. */
function failedAudits({ audits, categories }: Result, category: string): string[] {
  return (categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => id);
}
