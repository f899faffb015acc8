import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_MS = 200;
/** A lock file without a pid is being written, unless it is older than this. */
const MAX_WRITE_MS = 2000;

/**
 * Waits until no other process of this machine runs a task under the same name, and then runs this one.
 * Removes the lock of a process that was killed; two processes that do so in the same moment may both run.
 */
export async function withLock<T>(name: string, task: () => Promise<T>): Promise<T> {
  const file = join(tmpdir(), `${name}.lock`);
  while (!takeLock(file)) await pause(RETRY_MS);
  try {
    return await task();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Tries to take the lock; returns whether this process now holds it. */
function takeLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (isAbandoned(file)) rmSync(file, { force: true });
    return false;
  }
}

/** Whether the process that holds the lock has ended. */
function isAbandoned(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (!pid) return Date.now() - statSync(file).mtimeMs > MAX_WRITE_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // ESRCH: the process has ended. When the file itself is gone, the next attempt takes the lock.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
