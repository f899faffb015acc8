/**
 * The shop's current message to the user, in one line. An `alert` interrupts a screen reader, a `status`
 * waits; neither takes the focus.
 */
export interface Notice {
  readonly id: number;
  readonly role: 'alert' | 'status';
  readonly text: string;
  readonly action?: NoticeAction | undefined;
}

/** Something that the user can do about it, such as undoing. */
export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

let current: Notice | null = null;
let lastId = 0;
let spoken = '';
const listeners = new Set<() => void>();

/** Shows a notice in place of the last one. */
export function notify(role: Notice['role'], text: string, action?: NoticeAction): void {
  lastId += 1;
  set({ id: lastId, role, text, action });
}

/** Tells screen readers something that the screen shows anyway. */
export function announce(text: string): void {
  // A screen reader skips a text that does not change: an invisible character makes it differ.
  spoken = spoken === text ? `${text}\u200b` : text;
  for (const listener of listeners) listener();
}

export function lastSaid(): string {
  return spoken;
}

export function dismissNotice(): void {
  set(null);
}

export function currentNotice(): Notice | null {
  return current;
}

export function subscribeToNotices(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(notice: Notice | null): void {
  current = notice;
  for (const listener of listeners) listener();
}
