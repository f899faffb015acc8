/**
 * What the shop offers of its own accord. It never takes the place of a notice that answers
 * something the shopper did: it waits until there is none, and comes back when one came between.
 */
import { type NoticeAction, noticeStore, notify } from '../ui/notices.ts';

export interface Offer {
  readonly text: string;
  readonly action: NoticeAction;
  /** Taken or turned down. */
  readonly onClosed?: () => void;
}

/** So that no button changes under a finger that was about to press the last one. */
const PAUSE_MS = 1500;

let waiting: readonly Offer[] = [];
let shown: { readonly offer: Offer; readonly noticeId: number } | null = null;
let timer: number | undefined;
let isListening = false;

/** Returns what takes the offer back. */
export function offer(next: Offer): () => void {
  waiting = [...waiting, next];
  if (!isListening) noticeStore.subscribe(look);
  isListening = true;
  look();
  return () => {
    waiting = waiting.filter((each) => each !== next);
  };
}

function look(): void {
  const notice = noticeStore.snapshot();
  if (shown && notice?.id !== shown.noticeId) {
    const { offer: closed } = shown;
    shown = null;
    // Nothing in its place: it was closed. Otherwise it was only overtaken.
    if (!notice) {
      waiting = waiting.filter((each) => each !== closed);
      closed.onClosed?.();
    }
  }
  window.clearTimeout(timer);
  if (!notice && waiting.length > 0) timer = window.setTimeout(show, PAUSE_MS);
}

function show(): void {
  const [next] = waiting;
  if (!next || noticeStore.snapshot()) return;
  notify('status', next.text, next.action);
  const notice = noticeStore.snapshot();
  if (notice) shown = { offer: next, noticeId: notice.id };
}
