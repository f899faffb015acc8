/**
 * What is tapped on the cards that stand there before React does, or after a screen was left that
 * React had not reached yet. It is done as soon as there is somebody to do it (`repeat-taps.ts`).
 */
import { tabSlot } from '../ui/slot.ts';

export interface Tap {
  readonly productId: number;
  readonly productName: string;
  /** Whether the heart that was tapped was to become full; null when it was no heart. */
  readonly isWanted: boolean | null;
}

/** Kept for the next document of this tab too: a link may be tapped right after. */
const slot = tabSlot('taps');
/** For a browser that keeps nothing. */
let taps: readonly Tap[] = [];

/** Notes what is tapped, until `takeTaps`. */
export function noteTaps(): void {
  read();
  document.addEventListener('click', note);
  // Another document has done by now what was kept for it.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) read();
  });
}

/** What was tapped, each once; nothing is noted from now on. */
export function takeTaps(): readonly Tap[] {
  document.removeEventListener('click', note);
  const taken = taps;
  taps = [];
  slot.clear();
  return taken;
}

function read(): void {
  taps = JSON.parse(slot.read() ?? '[]') as readonly Tap[]; // as written below
}

function note({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest('button') : null;
  const card = button?.closest<HTMLElement>('[data-product]');
  if (!button || !card) return;
  const productId = Number(card.dataset['product']);
  const isWanted = button.ariaPressed === null ? null : button.ariaPressed === 'false';
  // A heart that does not answer at once is tapped again: it is meant once.
  const others = taps.filter((tap) => isWanted === null || !isHeartOf(tap, productId));
  taps = [...others, { productId, productName: card.ariaLabel ?? '', isWanted }];
  slot.write(JSON.stringify(taps));
}

function isHeartOf(tap: Tap, productId: number): boolean {
  return tap.isWanted !== null && tap.productId === productId;
}
