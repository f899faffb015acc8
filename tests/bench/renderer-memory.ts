/** How much memory a page takes, as the system counts it. */
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';

export interface RendererMemory {
  /** The most since the last call, in megabytes above the idle page. */
  takePeakMb(): number;
  stop(): void;
}

const EVERY_MS = 20;
const KB_PER_MB = 1024;

/**
 * Watches the processes that draw pages, where their workers live too; the page in question should
 * be the only one, and idle now. Linux only: nothing that a page may ask about itself counts what
 * its workers hold outside the JavaScript heap.
 */
export async function rendererMemory(browser: Browser): Promise<RendererMemory> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  const now = () => pids.reduce((sum, pid) => sum + residentMb(pid), 0);
  const idleMb = now();
  let peakMb = idleMb;
  const timer = setInterval(() => (peakMb = Math.max(peakMb, now())), EVERY_MS);
  return {
    takePeakMb() {
      const above = Math.max(peakMb, now()) - idleMb;
      peakMb = now();
      return above;
    },
    stop: () => clearInterval(timer),
  };
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} is gone`);
  return Number(kilobytes) / KB_PER_MB;
}
