/**
 * A file that came from outside of the page: the system has opened it with the installed shop
 * (`file_handlers`), or another app has shared it (`share_target`). Nothing of it is read before the user
 * says so, because any site can send one.
 */
import { createStore } from '../browser/store.ts';
import { findReceived, forgetReceived } from '../db/received-file.ts';
import { sharedHref } from '../domain/share-target.ts';
import { notify } from '../ui/notices.ts';
import { printDetails } from './console.ts';

export interface Received {
  /** Unread. */
  readonly file: File;
  /** Whether the file is a copy that the shop keeps; a file that the system opens is the user's own. */
  readonly isKept: boolean;
  /** Whether more files came with this one. The page offers only the first. */
  readonly isFirstOfSeveral: boolean;
}

/** The part of `globalThis` that TypeScript's libraries lack. Source: wicg.github.io/web-app-launch. */
interface WithLaunchQueue {
  readonly launchQueue?: {
    setConsumer(consumer: (launch: { readonly files?: readonly FileSystemHandle[] }) => void): void;
  };
}

/** Null for none. */
export const receivedStore = createStore<Received | null>(null);

/** Looks for a shared file, and takes files that the system opens later or opened before this call. */
export async function lookForReceived(): Promise<void> {
  (globalThis as WithLaunchQueue).launchQueue?.setConsumer(
    ({ files = [] }) => void takeFirst(files),
  );
  const file = await findReceived(Date.now());
  // A file that the system has opened meanwhile takes precedence over a shared one.
  if (receivedStore.snapshot()?.isKept === false) return;
  // The service worker opens this address when several files were shared.
  const isFirstOfSeveral = location.href === new URL(sharedHref('first'), location.href).href;
  receivedStore.set(file && { file, isKept: true, isFirstOfSeveral });
}

async function takeFirst(handles: readonly FileSystemHandle[]): Promise<void> {
  const fileHandle = handles.find((handle) => handle instanceof FileSystemFileHandle);
  try {
    const file = await fileHandle?.getFile();
    if (file) receivedStore.set({ file, isKept: false, isFirstOfSeveral: handles.length > 1 });
  } catch (thrown) {
    printDetails('The file cannot be read:', thrown);
    notify('alert', 'The file that was opened cannot be read. Choose it on this page.');
  }
}

/**
 * Returns the file for reading, and deletes the copy that the shop keeps.
 *
 * @throws when the copy cannot be read, because another shared file has replaced it
 */
export async function takeReceived({ file, isKept }: Received): Promise<File> {
  receivedStore.set(null);
  if (!isKept) return file;
  const copy = await copyOf(file);
  await forgetReceived(file);
  return copy;
}

/** How much of a file is read at once into this tab's memory. The browser moves large blobs to the disk. */
const PIECE_BYTES = 8 * 1024 * 1024;

/** A copy that can be read after the file was deleted. */
async function copyOf(file: File): Promise<File> {
  const pieces: Blob[] = [];
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    pieces.push(new Blob([await file.slice(at, at + PIECE_BYTES).arrayBuffer()]));
  }
  return new File(pieces, file.name, { type: file.type });
}

/** Forgets the file, and deletes the copy that the shop keeps. */
export async function dropReceived({ file, isKept }: Received): Promise<void> {
  receivedStore.set(null);
  if (isKept) await forgetReceived(file);
}
