/**
 * Offers of the shop, such as a new version. An offer never replaces a notice that answers the user: it
 * waits until there is none, and shows again after a notice has replaced it.
 */
import { type NoticeAction, noticeStore, notify } from '../ui/notices.ts';

export interface Offer {
  readonly text: string;
  readonly action: NoticeAction;
  /** Called when the user has accepted or closed the offer. */
  readonly onClosed?: () => void;
}

/** A pause after a notice, so that no new button appears where the user was about to press the old. */
const PAUSE_MS = 1500;

let waiting: readonly Offer[] = [];
let shown: { readonly offer: Offer; readonly noticeId: number } | null = null;
let timer: number | undefined;
let isListening = false;

/** Shows an offer as soon as there is no notice. Returns a function that withdraws it. */
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
    // Without another notice in its place, the user has closed it.
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
