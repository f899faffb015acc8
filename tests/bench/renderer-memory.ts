/** Measures a page's memory as the operating system counts it. */
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';

/** The memory of a page and its workers. */
export interface RendererMemory {
  /** Returns the peak since the last call, in megabytes above the idle page. */
  peakMbSinceLastCall(): number;
  stop(): void;
}

const SAMPLE_EVERY_MS = 20;
const KB_PER_MB = 1024;

/**
 * Watches the renderer processes, in which pages and their workers run. The measured page must be the
 * only one, and idle when this is called. Works on Linux only: it reads `/proc`, because no browser API
 * counts the memory of workers outside the JavaScript heap.
 */
export async function rendererMemory(browser: Browser): Promise<RendererMemory> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  const residentNowMb = () => residentMb(pids);
  const idleMb = residentNowMb();
  let peakMb = idleMb;
  const timer = setInterval(() => (peakMb = Math.max(peakMb, residentNowMb())), SAMPLE_EVERY_MS);
  return {
    peakMbSinceLastCall() {
      const aboveIdleMb = Math.max(peakMb, residentNowMb()) - idleMb;
      peakMb = residentNowMb();
      return aboveIdleMb;
    },
    stop: () => clearInterval(timer),
  };
}

/** The physical memory of these processes together, in megabytes. */
function residentMb(pids: readonly number[]): number {
  let sumKb = 0;
  for (const pid of pids) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? [];
    if (kilobytes === undefined) throw new Error(`process ${pid} is gone`);
    sumKb += Number(kilobytes);
  }
  return sumKb / KB_PER_MB;
}
