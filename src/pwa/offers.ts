/**
 * Offers of the shop, such as a new version. An offer never replaces a notice that answers the user: it
 * waits until there is no notice. After a notice has replaced the offer, the offer is shown again.
 */
import { type NoticeAction, noticeStore, notify } from '../ui/notices.ts';

export interface Offer {
  readonly text: string;
  readonly action: Omit<NoticeAction, 'onClosed'>;
  /** Called when the user has accepted or closed the offer. */
  readonly onClosed?: () => void;
}

/** A pause after a notice, so that no new button appears where the user is about to press the old one. */
const PAUSE_MS = 1500;

let waiting: readonly Offer[] = [];
let timer: number | undefined;
let isListening = false;

/**
 * Shows an offer as soon as there is no notice. Returns a function that withdraws it; an offer on screen
 * stays there until the user answers it.
 */
export function offer(next: Offer): () => void {
  waiting = [...waiting, next];
  if (!isListening) noticeStore.subscribe(showLater);
  isListening = true;
  showLater();
  return () => withdraw(next);
}

function withdraw(offered: Offer): void {
  waiting = waiting.filter((other) => other !== offered);
}

function showLater(): void {
  window.clearTimeout(timer);
  if (!noticeStore.snapshot() && waiting.length > 0) timer = window.setTimeout(show, PAUSE_MS);
}

function show(): void {
  const [next] = waiting;
  if (!next || noticeStore.snapshot()) return;
  const onClosed = () => {
    withdraw(next);
    next.onClosed?.();
  };
  notify('status', next.text, { ...next.action, onClosed });
}
