/** Runs a module of the app's own code in Chromium. */
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { launchBrowser } from '../browser/browser.ts';

/** The exports of a module. Their arguments and results are passed as JSON. */
type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

/** A browser that runs the module. */
export interface BenchPage<Module extends Functions> {
  /** Calls an export of the module in a page that has just been opened. */
  call<Name extends keyof Module & string>(
    name: Name,
    ...args: Parameters<Module[Name]>
  ): Promise<Awaited<ReturnType<Module[Name]>>>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** No server listens here: Playwright answers. `localhost` counts as a secure context. */
const ORIGIN = 'http://localhost:1';

/**
 * Opens a browser for a module.
 *
 * @param data what the module gets from `/data.json`, because it is too large for an argument
 */
export async function openBenchPage<Module extends Functions>(
  entry: URL,
  data?: unknown,
): Promise<BenchPage<Module>> {
  const script = await bundle(entry);
  const json = JSON.stringify(data ?? null);
  const browser = await launchBrowser();
  const context = await browser.newContext();
  await context.route(`${ORIGIN}/**`, async (route) => {
    // Cross-origin isolation gives the page a clock of 5 instead of 100 microseconds.
    const headers = {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    };
    const answers: Record<string, readonly [type: string, body: string]> = {
      '/': ['text/html', '<!doctype html><title>Bench</title>'],
      '/bench.js': ['text/javascript', script],
      '/data.json': ['application/json', json],
    };
    const [contentType, body] = answers[new URL(route.request().url()).pathname] ?? [];
    if (contentType === undefined || body === undefined) await route.fulfill({ status: 404 });
    else await route.fulfill({ headers, contentType, body });
  });
  return {
    async call(name, ...args) {
      const page = await context.newPage();
      try {
        await page.goto(ORIGIN);
        const call = `import('/bench.js').then((m) => m.${name}(...${JSON.stringify(args)}))`;
        return await page.evaluate<never>(call); // `never` fits the result of any export
      } finally {
        await page.close();
      }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Bundles a module and its imports into one script, as the app's build does. Workers are not included. */
export async function bundle(entry: URL): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: fileURLToPath(entry), formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = Array.isArray(built) ? built : [built as Rolldown.RolldownOutput];
  const [chunk, ...others] = output?.output ?? [];
  if (chunk?.type !== 'chunk' || others.some(({ type }) => type === 'chunk')) {
    throw new Error(`${entry.pathname} did not become one script`);
  }
  return chunk.code;
}
