import { noticeStore } from '../ui/notices.ts';

/** A pause after a notice, so that no new button appears where the user is about to press the old one. */
const PAUSE_MS = 1500;

/** Calls `show` once no notice is on screen: an offer of the shop must not replace an answer to the user. */
export function whenNoNotice(show: () => void): void {
  let timer: number | undefined;
  const look = () => {
    window.clearTimeout(timer);
    if (noticeStore.snapshot()) return;
    timer = window.setTimeout(() => {
      stop();
      show();
    }, PAUSE_MS);
  };
  const stop = noticeStore.subscribe(look);
  look();
}
