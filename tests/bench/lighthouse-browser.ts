/** A Chromium that only Lighthouse is attached to, because a second debugger slows pages down. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import lighthouse, { type Result } from 'lighthouse';
import { BROWSER_ARGS } from '../browser/browser.ts';
import { findChromium } from '../browser/find.ts';

/** The browser, closed by its disposal. */
export interface LighthouseBrowser extends AsyncDisposable {
  /** Visits with the mobile preset, which simulates a mid-range phone on slow 4G. */
  visit(url: string): Promise<Result>;
}

const MAX_ATTEMPTS = 3;

/**
 * Opens a Chromium for Lighthouse.
 *
 * @param profile the folder of the browser's profile
 * @param keepsStorage whether a visit finds the profile's cache and storage; otherwise both are emptied
 */
export async function openLighthouseBrowser(
  profile: string,
  { keepsStorage }: { readonly keepsStorage: boolean },
): Promise<LighthouseBrowser> {
  const args = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const chromium = spawn(findChromium(), [...BROWSER_ARGS, ...args, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group to kill as a whole, because Debian's command is a script that waits for the browser.
    detached: true,
  });
  const exited = once(chromium, 'exit');
  const port = await portOf(chromium.stderr);
  return {
    async visit(url) {
      let problem = 'no result';
      // On a busy machine a recording may miss the start of the page.
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const result = await lighthouse(url, {
          port,
          logLevel: 'error',
          output: 'json',
          disableStorageReset: keepsStorage,
          clearStorageTypes: ['all'], // by default Lighthouse leaves IndexedDB and localStorage
        });
        if (result && !result.lhr.runtimeError) return result.lhr;
        problem = result?.lhr.runtimeError?.message ?? problem;
      }
      throw new Error(`Lighthouse at ${url}: ${problem}`);
    },
    async [Symbol.asyncDispose]() {
      if (chromium.pid !== undefined) process.kill(-chromium.pid);
      await exited;
    },
  };
}

/** Chromium prints its port on the line "DevTools listening on ws://127.0.0.1:port/…". */
async function portOf(stderr: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: stderr })) {
    const port = /^DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    stderr.resume(); // Chromium would block as soon as the pipe is full
    return Number(port);
  }
  throw new Error('Chromium did not open');
}
