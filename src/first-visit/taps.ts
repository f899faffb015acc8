/**
 * What is tapped on the cards that stand there before React does, or after a screen was left that
 * React had not reached yet. It is done as soon as there is somebody to do it (`repeat-taps.ts`).
 */
import { sessionKey } from '../ui/storage-key.ts';
import styles from '../shell/notices.module.css';

export interface Tap {
  readonly productId: number;
  readonly productName: string;
  /** Whether the heart that was tapped was to become full; null when it was no heart. */
  readonly isWanted: boolean | null;
  readonly atMs: number;
}

/** Whoever comes back later has tapped again, or changed their mind. */
const GOOD_FOR_MS = 60_000;

/** Whoever taps is told that it waits after this time: within a second, drawing included. */
const PATIENCE_MS = 700;

export const STILL_OPENING =
  'The shop is still opening. What you tapped is done as soon as it has.';

let telling: ReturnType<typeof setTimeout> | undefined;

/** Kept for the next document of this tab too: a link may be tapped right after. */
const key = sessionKey('weft-taps');
/** For a browser that keeps nothing. */
let inMemory: readonly Tap[] = [];
let isKept = false;

/** Notes what is tapped, until `endTaps`. */
export function noteTaps(): void {
  const isFresh = ({ atMs }: Tap) => Math.abs(Date.now() - atMs) < GOOD_FOR_MS;
  write(parseTaps(key.read()).filter(isFresh));
  document.addEventListener('click', note);
}

/** Nothing is noted from now on; what was stays until `takeTaps`. */
export function endTaps(): void {
  document.removeEventListener('click', note);
  clearTimeout(telling);
}

/** Whether something waits to be done. */
export function hasTaps(): boolean {
  return read().length > 0;
}

/** What was tapped, once over all documents of this tab. */
export function takeTaps(): readonly Tap[] {
  const taps = read();
  inMemory = [];
  key.clear();
  return taps;
}

function note({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest('button') : null;
  const card = button?.closest<HTMLElement>('[data-product]');
  if (!button || !card) return;
  const productId = Number(card.dataset['product']);
  const isWanted = button.ariaPressed === null ? null : button.ariaPressed === 'false';
  // A heart that does not answer at once is tapped again: it is meant once.
  const others = read().filter((tap) => isWanted === null || !isHeartOf(tap, productId));
  const productName = card.ariaLabel ?? '';
  write([...others, { productId, productName, isWanted, atMs: Date.now() }]);
  telling ??= setTimeout(tell, PATIENCE_MS);
}

/** In the region that React's notices stand in later (`notices.tsx`). */
function tell(): void {
  const words = document.createElement('span');
  words.textContent = STILL_OPENING;
  const notice = document.createElement('p');
  notice.className = styles['notice'] ?? '';
  notice.append(words);
  document.querySelector(`.${styles['notices']} [role=status]`)?.replaceChildren(notice);
}

/** What is kept counts: come back to, this document may have been overtaken by the next. */
function read(): readonly Tap[] {
  return isKept ? parseTaps(key.read()) : inMemory;
}

function write(taps: readonly Tap[]): void {
  inMemory = taps;
  if (taps.length > 0) key.write(JSON.stringify(taps));
  isKept = taps.length > 0 && key.read() !== null;
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
