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
 * only one, and idle when this is called. Works on Linux only, because no browser API counts the
 * memory of workers outside the JavaScript heap.
 */
export async function rendererMemory(browser: Browser): Promise<RendererMemory> {
  const pids = await rendererIds(browser);
  const residentNowMb = () => pids.reduce((sum, pid) => sum + residentMb(pid), 0);
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

/** The memory of all pages and workers of a browser now, in megabytes. */
export async function residentPagesMb(browser: Browser): Promise<number> {
  return (await rendererIds(browser)).reduce((sum, pid) => sum + residentMb(pid), 0);
}

async function rendererIds(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** The physical memory of a process, in megabytes. */
function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} is gone`);
  return Number(kilobytes) / KB_PER_MB;
}
