/** The import page in real Chromium, with a tab that can be killed and opened again. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { collectPageErrors, DESKTOP, waitForWorker } from '../browser/browser.ts';

export interface Shopkeeper {
  readonly email: string;
  readonly password: string;
}

/** What the page says when an import has come to an end. */
export interface Said {
  readonly status: string;
  readonly totals: string;
}

const SHORT_MS = 60_000;

export class ImportTab {
  #browser: Browser;
  #context: BrowserContext;
  #url: string;
  #page: Page;
  /** What the pages complained of. */
  readonly complaints: string[][] = [];

  private constructor(browser: Browser, context: BrowserContext, page: Page, url: string) {
    this.#browser = browser;
    this.#context = context;
    this.#page = page;
    this.#url = url;
    this.complaints.push(collectPageErrors(page));
  }

  /** Signs in and waits until the page could be opened without the shop. */
  static async open(browser: Browser, url: string, { email, password }: Shopkeeper) {
    const context = await browser.newContext({ viewport: DESKTOP });
    context.setDefaultTimeout(SHORT_MS);
    const page = await context.newPage();
    const tab = new ImportTab(browser, context, page, url);
    await page.goto(`${url}/login?next=/admin/import`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await tab.#history().waitFor();
    await waitForWorker(page);
    return tab;
  }

  async start(path: string): Promise<void> {
    await this.#page.locator('input[type=file]').last().setInputFiles(path);
    await this.#page.getByRole('heading', { name: 'What this file would do' }).waitFor();
    await this.#button('Start Import').click();
  }

  /** Resolves with what the page says in the end; never when the tab is killed before. */
  async end(): Promise<Said> {
    const panel = this.#panel();
    const status = panel.getByText(/^(Import successful!|Import failed|Authentication session)/);
    try {
      await status.waitFor({ timeout: 0 });
    } catch (thrown) {
      if (this.#page.isClosed()) return new Promise(() => undefined);
      throw thrown;
    }
    const totals = await panel.getByText(/ unchanged\. /).allTextContents();
    return { status: (await status.textContent()) ?? '', totals: totals.join(' ') };
  }

  /** Not waited for: a service worker that has fallen asleep never answers. */
  setOffline(isOffline: boolean): void {
    void this.#context.setOffline(isOffline).catch(() => undefined);
  }

  /** Its process dies as when the system needs the memory, with all workers. */
  async kill(): Promise<void> {
    const session = await this.#browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    const crashed = this.#page.waitForEvent('crash');
    for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
    await crashed;
    // Of a dead tab Chromium does not always say that it has closed.
    void this.#page.close().catch(() => undefined);
  }

  closeTab(): Promise<void> {
    return this.#page.close();
  }

  /**
   * Opens the page again and goes on with the import.
   *
   * @returns how: `asked` when the file had to be chosen again, `over` when nothing was left to do
   */
  async reopen(path: string): Promise<'resumed' | 'asked' | 'over'> {
    this.#page = await this.#context.newPage();
    this.complaints.push(collectPageErrors(this.#page));
    await this.#page.goto(`${this.#url}/admin/import`);
    await this.#panel().waitFor();
    return this.resume(path);
  }

  async resume(path: string): Promise<'resumed' | 'asked' | 'over'> {
    if ((await this.#jobs()) === 0) return 'over';
    const resume = this.#button('Resume');
    const choose = this.#page.getByLabel('Choose the file and resume');
    await resume.or(choose).waitFor({ state: 'attached' });
    if ((await resume.count()) === 0) {
      await choose.setInputFiles(path);
      return 'asked';
    }
    await resume.click();
    return 'resumed';
  }

  /** What the page says of the last import when nothing is running: who, when, and the counts. */
  async lastImport(): Promise<string> {
    await this.#page.reload();
    const history = this.#page.getByRole('region', { name: 'Last import' });
    await history.getByText(/ by you, /).waitFor();
    const [, counts] = await history.getByRole('paragraph').allTextContents();
    return counts ?? '';
  }

  /** What can be read on the page now, for a run that does not end. */
  async text(): Promise<string> {
    return this.#page.locator('main').innerText({ timeout: 5000 });
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  /** Imports that this device knows of. The page offers them when it has read that; this asks it. */
  #jobs(): Promise<number> {
    return this.#page.evaluate(async () => {
      const opening = indexedDB.open('weft-import');
      await new Promise((done) => (opening.onsuccess = done));
      const reading = opening.result.transaction('jobs').objectStore('jobs').count();
      await new Promise((done) => (reading.onsuccess = done));
      opening.result.close();
      return reading.result;
    });
  }

  #panel(): Locator {
    return this.#page.getByRole('region', { name: 'Import', exact: true });
  }

  #history(): Locator {
    return this.#page.getByRole('heading', { name: 'Last import' });
  }

  #button(name: string): Locator {
    return this.#page.getByRole('button', { name, exact: true });
  }
}
