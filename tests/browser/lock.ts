import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;
/** A lock file without a process in it is one that is being written, unless it stays so. */
const WRITTEN_WITHIN_MS = 2000;

/**
 * Runs the work while no other process of this machine runs work of that name; waits for its turn.
 * The lock of a process that was killed is taken over.
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const file = join(tmpdir(), `${name}.lock`);
  while (!isTaken(file)) await pause(LOOK_EVERY_MS);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** True when this process has the lock now. */
function isTaken(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (isLeft(file)) rmSync(file, { force: true });
    return false;
  }
}

function isLeft(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (!pid) return Date.now() - statSync(file).mtimeMs > WRITTEN_WITHIN_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // No such process; a file that is gone is looked at again.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
