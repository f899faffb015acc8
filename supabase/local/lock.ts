/**
 * Locks a data folder for one running shop, because two processes would destroy Postgres's files. The
 * lock is a file with the owner's pid, and the time at which the owner started, because a later process may get
 * the same pid. It is stale if that process has ended. A new process moves a stale lock aside. If another process
 * has replaced it meanwhile, the new process puts that lock back.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DataFolderInUse, DataFolderUnwritable } from './failures.ts';

interface Lock {
  readonly pid: number;
  /** As `processOf` tells it. */
  readonly startedAt?: string | undefined;
}

/** How long a process may take to write its lock into the file that it has created. */
const UNFINISHED_LOCK_MS = 200;

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
  for (;;) {
    try {
      const { startedAt } = processOf(process.pid);
      const lock: Lock = { pid: process.pid, startedAt };
      writeFileSync(file, JSON.stringify(lock), { flag: 'wx' });
      break;
    } catch (thrown) {
      if (codeOf(thrown) !== 'EEXIST') throw new DataFolderUnwritable(folder, thrown);
      const owner = readLock(file) ?? readLockAgain(file);
      if (owner !== undefined && (heldLocks.has(file) || isAlive(owner))) {
        throw new DataFolderInUse(folder, owner.pid, file);
      }
      removeStale(folder, file, owner);
    }
  }
  heldLocks.add(file);
  return () => {
    if (heldLocks.delete(file)) rmSync(file, { force: true });
  };
}

/** Removes a stale lock of this owner, but not the lock by which another process has replaced it. */
function removeStale(folder: string, file: string, owner: Lock | undefined): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (!isDeepStrictEqual(readLock(aside), owner)) linkSync(aside, file);
  } catch (thrown) {
    // Another process has removed the stale lock, or has taken the lock since.
    const isTaken = ['ENOENT', 'EEXIST'].includes(codeOf(thrown) ?? '');
    if (!isTaken) throw new DataFolderUnwritable(folder, thrown);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Undefined when there is no lock, or its writer ended before it had written the file. */
function readLock(file: string): Lock | undefined {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Lock>;
    return typeof pid === 'number' ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads again after a while, because the owner may have created the file but not written it yet. */
function readLockAgain(file: string): Lock | undefined {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, UNFINISHED_LOCK_MS);
  return readLock(file);
}

function isAlive(owner: Lock): boolean {
  if (owner.pid === process.pid) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EPERM') return false;
  }
  const { state, startedAt = owner.startedAt } = processOf(owner.pid);
  // A zombie has ended, but its parent has not waited for it, as in a container without init.
  return state !== 'Z' && startedAt === (owner.startedAt ?? startedAt);
}

/**
 * What Linux tells of a process: its state, and when it started, in clock ticks since the machine did, which no
 * change of the machine's date moves. Both undefined on other systems. Source: proc_pid_stat(5).
 */
function processOf(pid: number): { state?: string | undefined; startedAt?: string | undefined } {
  try {
    // The fields follow the process's name, which stands in brackets and may itself hold brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state: fields[0], startedAt: fields[19] };
  } catch {
    return {};
  }
}

function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}
