/**
 * Keeps the last file that was posted to `SHARE_PATH` in the origin's private file system, from the
 * service worker's answer until a user of the import page takes it. It keeps one file at most, for a day
 * at most: any site can post files, and they must not fill the disk.
 */
import { withLock } from '../browser/lock.ts';

const FOLDER = 'received';
const KEPT_MS = 24 * 60 * 60 * 1000;
const MOST_NAME_CHARS = 80;

/**
 * Keeps this file in place of an earlier one, which is removed in any case.
 *
 * @returns whether the device has kept it
 */
export function keepReceived(file: File): Promise<boolean> {
  return withFolderLock(async () => {
    try {
      await remove();
      if (!(await hasRoomFor(file.size))) return false;
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle(FOLDER, { create: true });
      const handle = await folder.getFileHandle(plainName(file.name), { create: true });
      await file.stream().pipeTo(await handle.createWritable());
      return true;
    } catch {
      // The browser has no such file system, or there is no room. A file that was written in part is of no use.
      await remove();
      return false;
    }
  });
}

/** The file that is kept, unread; null for none. Deletes a file that is older than a day. */
export function findReceived(nowMs: number): Promise<File | null> {
  return withFolderLock(async () => {
    const file = await storedFile();
    // A file is empty if the worker was stopped while it wrote.
    if (file && file.size > 0 && nowMs - file.lastModified < KEPT_MS) return file;
    if (file) await remove();
    return null;
  });
}

/** Removes the file that is kept. With `received`, does so only while no later file has replaced that one. */
export function forgetReceived(received?: File): Promise<void> {
  return withFolderLock(async () => {
    const kept = received && (await storedFile());
    if (kept && !isSameFile(kept, received)) return;
    await remove();
  });
}

function isSameFile(a: File, b: File): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
}

/** Whether `bytes` are at most half of the free storage: carts and the catalogue come first. */
export async function hasRoomFor(bytes: number): Promise<boolean> {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return bytes <= (quota - usage) / 2;
  } catch {
    return false;
  }
}

/**
 * A name that every file system takes: without separators of folders, and without invisible characters and
 * those that reverse the letters beside them.
 */
export function plainName(name: string): string {
  // The end of a long name is kept, because it has the file's extension.
  const end = name.slice(-MOST_NAME_CHARS);
  const plain = end.replaceAll(/[^\p{L}\p{M}\p{N} ._()&+,@#'=!-]/gu, '_');
  return plain.replaceAll(/^[. ]+|[. ]+$/g, '') || 'shared.csv';
}

/** How long to wait for another tab, which the system may have frozen. */
const WAIT_MS = 4000;

function withFolderLock<T>(work: () => Promise<T>): Promise<T> {
  return withLock(navigator.locks, { name: 'weft-received', waitMs: WAIT_MS }, work);
}

async function storedFile(): Promise<File | null> {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(FOLDER);
    for await (const handle of folder.values()) {
      if (handle.kind === 'file') return await handle.getFile();
    }
  } catch {
    // Nothing was ever kept here, or the browser has no such file system.
  }
  return null;
}

async function remove(): Promise<void> {
  try {
    await (await navigator.storage.getDirectory()).removeEntry(FOLDER, { recursive: true });
  } catch {
    // There is nothing to remove, or the browser has no such file system.
  }
}
