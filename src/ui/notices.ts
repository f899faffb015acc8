import { createStore, type ReadableStore } from '../browser/store.ts';

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

/** A button in a notice, such as Undo, or a link. */
export interface NoticeAction {
  readonly label: string;
  /** The address of the screen that a link leads to; `run` is called before. */
  readonly href?: string;
  readonly run?: () => void;
  /** Called when the user has followed or closed the notice; not when the shop replaces or dismisses it. */
  readonly onClosed?: (() => void) | undefined;
  /** The shopper for whom the action is; null for a visitor. The notice is dismissed at the next login or logout. */
  readonly uid?: string | null | undefined;
}

const notices = createStore<Notice | null>(null);
const announcements = createStore('');
let lastId = 0;

/** The notice on screen, or null. */
export const noticeStore: ReadableStore<Notice | null> = notices;
/** The last text for screen readers only. */
export const announcementStore: ReadableStore<string> = announcements;

/** Shows a notice in place of the last one. */
export function notify(role: Notice['role'], text: string, action?: NoticeAction): void {
  lastId += 1;
  notices.set({ id: lastId, role, text, action });
}

/** Removes the notice because the shop no longer needs it. */
export function dismissNotice(): void {
  notices.set(null);
}

/** Removes the notice because the user has followed or closed it. */
export function closeNotice(): void {
  notices.snapshot()?.action?.onClosed?.();
  notices.set(null);
}

/** Tells screen readers something that the screen shows anyway. */
export function announce(text: string): void {
  // A screen reader skips a text that does not change: an invisible character makes it differ.
  announcements.set(announcements.snapshot() === text ? `${text}\u200b` : text);
}
