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
  readonly atMs: number;
}

/** Whoever comes back later has tapped again, or changed their mind. */
const GOOD_FOR_MS = 60_000;

/** Kept for the next document of this tab too: a link may be tapped right after. */
const slot = tabSlot('weft-taps');
let taps: readonly Tap[] = [];
/** False in a browser that keeps nothing. */
let isKept = false;
let noting: AbortController | null = null;

/** Notes what is tapped, until `endTaps`. */
export function noteTaps(): void {
  noting = new AbortController();
  const { signal } = noting;
  taps = parseTaps(slot.read());
  document.addEventListener('click', note, { signal });
  // Come back to: another document may have done meanwhile what was kept for it.
  const lookAgain = () => {
    if (isKept) taps = parseTaps(slot.read());
  };
  window.addEventListener('pageshow', lookAgain, { signal });
}

/** What was tapped. Nothing is noted from now on; what was stays kept until `forgetTaps`. */
export function endTaps(): readonly Tap[] {
  noting?.abort();
  return taps.filter(({ atMs }) => Math.abs(Date.now() - atMs) < GOOD_FOR_MS);
}

/** They are done. */
export function forgetTaps(): void {
  taps = [];
  slot.clear();
}

function note({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest('button') : null;
  const card = button?.closest<HTMLElement>('[data-product]');
  if (!button || !card) return;
  const productId = Number(card.dataset['product']);
  const isWanted = button.ariaPressed === null ? null : button.ariaPressed === 'false';
  // A heart that does not answer at once is tapped again: it is meant once.
  const others = taps.filter((tap) => isWanted === null || !isHeartOf(tap, productId));
  const productName = card.ariaLabel ?? '';
  taps = [...others, { productId, productName, isWanted, atMs: Date.now() }];
  slot.write(JSON.stringify(taps));
  isKept = slot.read() !== null;
}

function isHeartOf(tap: Tap, productId: number): boolean {
  return tap.isWanted !== null && tap.productId === productId;
}

function parseTaps(text: string | null): readonly Tap[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isTap) : [];
  } catch {
    return [];
  }
}

function isTap(value: unknown): value is Tap {
  const { productId, productName, isWanted, atMs } = (value ?? {}) as Partial<Tap>; // looked at below
  return (
    typeof productId === 'number' &&
    typeof productName === 'string' &&
    (isWanted === null || typeof isWanted === 'boolean') &&
    typeof atMs === 'number'
  );
}
