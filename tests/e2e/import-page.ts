/** What the tests of the import page share. */
import { ada, line, page } from './fixture.ts';

/** Logs in and opens the import page. */
export async function openImport(shopper = ada, url = line.url): Promise<void> {
  await shopper.page.goto(`${url}/login?next=/admin/import`);
  await shopper.typeCredentials();
  await shopper.page.getByRole('heading', { name: 'Last import' }).waitFor();
}

/**
 * Holds the page at "Access Denied". By itself it leads to the login after two seconds, which is too soon for a test on
 * a busy machine. The returned function lets the page go on.
 */
export async function holdAtAccessDenied(): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const { setTimeout: start } = window;
    const holding = (run: () => void, ms?: number) => {
      const isDenied = document
        .querySelector('[role=alert]')
        ?.textContent.startsWith('Access Denied');
      if (ms !== 2000 || !isDenied) return start(run, ms);
      Object.assign(window, { goOn: run });
      return 0;
    };
    Object.assign(window, { setTimeout: holding });
  });
  return () => page.evaluate(() => (window as unknown as { goOn: () => void }).goOn());
}

/** The button that starts an import. Its name changes while an import runs. */
export const startButton = () =>
  page.getByRole('button', { name: /^(Start Import|Importing\.\.\.)$/ });

/** The heading of the result of a check. */
export const checkHeading = () => page.getByRole('heading', { name: 'Preview' });

/** Waits for the check, and returns its figures by name. */
export async function readCheck(): Promise<Record<string, string>> {
  await checkHeading().waitFor();
  const cells = page.getByRole('region', { name: 'Check' }).locator('dl > div');
  const pairs = await cells.evaluateAll((divs) =>
    divs.map((div) => [...div.children].map(({ textContent }) => textContent)),
  );
  return Object.fromEntries(pairs) as Record<string, string>; // each is a term with its figure
}
