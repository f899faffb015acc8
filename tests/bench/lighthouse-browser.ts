/** A Chromium for Lighthouse, with nobody else attached: a second debugger costs the page time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import lighthouse, { type Result } from 'lighthouse';
import { BROWSER_ARGS } from '../browser/browser.ts';
import { findChromium } from '../browser/find.ts';

export interface LighthouseBrowser extends AsyncDisposable {
  /** A visit with the mobile preset: a phone of the middle kind on slow 4G, simulated. */
  visit(url: string): Promise<Result>;
}

const ATTEMPTS = 3;

/**
 * @param profile a folder; what is in it stays there
 * @param isKept whether a visit finds what the profile holds, or an empty cache and no storage
 */
export async function openLighthouseBrowser(
  profile: string,
  isKept: boolean,
): Promise<LighthouseBrowser> {
  const args = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const chromium = spawn(await findChromium(), [...BROWSER_ARGS, ...args, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(chromium, 'exit');
  const port = await portOf(chromium.stderr);
  return {
    async visit(url) {
      let problem = 'it said nothing';
      // On a busy machine a recording may miss the start of the page.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const result = await lighthouse(url, {
          port,
          logLevel: 'error',
          output: 'json',
          disableStorageReset: isKept,
        });
        if (result && !result.lhr.runtimeError) return result.lhr;
        problem = result?.lhr.runtimeError?.message ?? problem;
      }
      throw new Error(`Lighthouse at ${url}: ${problem}`);
    },
    async [Symbol.asyncDispose]() {
      chromium.kill();
      await gone;
    },
  };
}

/** Chromium tells its free port on the line "DevTools listening on ws://127.0.0.1:port/…". */
async function portOf(stderr: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: stderr })) {
    const port = /^DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    stderr.resume();
    return Number(port);
  }
  throw new Error('Chromium did not open');
}
