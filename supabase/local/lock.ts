/**
 * Locks a data folder for one running shop, because two processes would destroy Postgres's files. The
 * lock is a file with the owner's pid, and is stale if that process has ended.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderInUse, DataFolderUnwritable } from './failures.ts';

/**
 * The locks that this process holds. A file with this process's pid does not prove that: an earlier
 * process with the same pid may have left it, as happens in containers.
 */
const heldLocks = new Set<string>();

/**
 * @returns a function that releases the lock
 * @throws DataFolderInUse when the lock's owner is alive, DataFolderUnwritable when the lock cannot be written
 */
export function takeLock(folder: string): () => void {
  const file = join(folder, 'lock');
  try {
    if (!write(file)) {
      const owner = Number(readFileSync(file, 'utf8'));
      if (heldLocks.has(file) || isAlive(owner)) throw new DataFolderInUse(folder, owner, file);
      rmSync(file);
      if (!write(file)) throw new DataFolderInUse(folder, Number(readFileSync(file, 'utf8')), file);
    }
  } catch (thrown) {
    throw thrown instanceof DataFolderInUse ? thrown : new DataFolderUnwritable(folder, thrown);
  }
  heldLocks.add(file);
  return () => {
    if (heldLocks.delete(file)) rmSync(file, { force: true });
  };
}

/** @returns false when there is a lock already */
function write(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

function isAlive(pid: number): boolean {
  // A start that was killed may have left an empty file.
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === 'EPERM';
  }
}

function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}
