/** The import page in real Chromium, with a tab that can be killed and opened again. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { NewAccount } from '../../supabase/local/accounts.ts';
import { collectPageErrors, DESKTOP, waitForWorker } from '../browser/browser.ts';

/** What the page says when an import has ended. */
export interface FinalWords {
  /** The sentence that says whether it succeeded. */
  readonly status: string;
  /** How many products were added, changed and unchanged. */
  readonly totals: string;
}

const STEP_TIMEOUT_MS = 60_000;

/** The import page of one shopkeeper. */
export class ImportTab {
  #browser: Browser;
  #context: BrowserContext;
  #url: string;
  #page: Page;
  /** Errors in the console of each page. */
  readonly errorLines: string[][] = [];

  private constructor(browser: Browser, context: BrowserContext, page: Page, url: string) {
    this.#browser = browser;
    this.#context = context;
    this.#page = page;
    this.#url = url;
    this.errorLines.push(collectPageErrors(page));
  }

  /** Signs in, and waits until the service worker could open the page without the server. */
  static async open(browser: Browser, url: string, { email, password }: NewAccount) {
    const context = await browser.newContext({ viewport: DESKTOP });
    context.setDefaultTimeout(STEP_TIMEOUT_MS);
    const page = await context.newPage();
    const tab = new ImportTab(browser, context, page, url);
    await page.goto(`${url}/login?next=/admin/import`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await tab.#lastImportHeading().waitFor();
    await waitForWorker(page);
    return tab;
  }

  /** Chooses the file, waits for its check and presses Start Import. */
  async start(path: string): Promise<void> {
    await this.#page.locator('input[type=file]').setInputFiles(path);
    await this.#page.getByRole('heading', { name: 'Preview' }).waitFor();
    await this.#button('Start Import').click();
  }

  /** Waits for the end of the import. Never resolves when the tab is killed before. */
  async waitForEnd(): Promise<FinalWords> {
    const panel = this.#panel();
    const status = panel.getByText(/^(Import successful!|Import failed|Authentication session)/);
    try {
      await status.waitFor({ timeout: 0 });
    } catch (thrown) {
      if (this.#page.isClosed()) return new Promise(() => undefined);
      throw thrown;
    }
    const totals = await panel.getByText(/ rows? read: /).allTextContents();
    return { status: (await status.textContent()) ?? '', totals: totals.join(' ') };
  }

  /**
   * Cuts the browser's network or restores it. Does not wait, because Chromium never answers once the service
   * worker has stopped.
   */
  setOffline(isOffline: boolean): void {
    void this.#context.setOffline(isOffline).catch(() => undefined);
  }

  /**
   * Kills the tab's process and those of its workers, as a system does that needs the memory. Kills every
   * renderer, because all belong to this tab: the browser has no other.
   */
  async kill(): Promise<void> {
    const session = await this.#browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    const crashed = this.#page.waitForEvent('crash');
    for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
    await crashed;
    // Not awaited: Chromium does not always report that a crashed tab has closed.
    void this.#page.close().catch(() => undefined);
  }

  /** Opens the page again, and chooses the same file again unless the import has ended. Returns whether it has. */
  async reopen(path: string): Promise<boolean> {
    this.#page = await this.#context.newPage();
    this.errorLines.push(collectPageErrors(this.#page));
    await this.#page.goto(`${this.#url}/admin/import`);
    const last = this.#page.getByRole('region', { name: 'Last import' });
    // What the server says of it, which a page without a connection does not know yet.
    await last
      .getByText(/ by (you|another user), /)
      .first()
      .waitFor({ timeout: 0 });
    const words = (await last.getByRole('paragraph').first().textContent()) ?? '';
    if (words.includes('by you') && !words.includes('(not finished)')) return true;
    await this.start(path);
    return false;
  }

  /** The counts of the last import that the page shows after a reload. */
  async lastImport(): Promise<string> {
    await this.#page.reload();
    const section = this.#page.getByRole('region', { name: 'Last import' });
    await section.getByText(/ by you, /).waitFor();
    // The first paragraph says when and by whom, the second how many products.
    const [, counts] = await section.getByRole('paragraph').allTextContents();
    return counts ?? '';
  }

  /** Undoes the last import that the page shows, and returns what the page says of it. */
  async undo(): Promise<string> {
    await this.#button('Undo').click();
    await this.#button('Undo the import').click();
    const words = this.#page.getByText(/^Undone: /);
    await words.waitFor();
    return (await words.textContent()) ?? '';
  }

  /** The text on the page now, to report for a run that does not end. */
  async text(): Promise<string> {
    return this.#page.locator('main').innerText({ timeout: 5000 });
  }

  /** Closes the browser's window with everything that it stored. */
  close(): Promise<void> {
    return this.#context.close();
  }

  #panel(): Locator {
    return this.#page.getByRole('region', { name: 'Import', exact: true });
  }

  #lastImportHeading(): Locator {
    return this.#page.getByRole('heading', { name: 'Last import' });
  }

  #button(name: string): Locator {
    return this.#page.getByRole('button', { name, exact: true });
  }
}
