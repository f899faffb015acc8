/**
 * Stores taps on cards before React can handle them: on the first screen, or on one that the user left
 * before React had rendered it. `repeat-taps.ts` repeats them as soon as React runs.
 */
import { fieldsOf, parseJson } from '../domain/fields.ts';
import { rememberedKey, sessionKey } from '../browser/storage-key.ts';
import styles from '../shell/notices.module.css';

export interface CardTap {
  readonly productId: number;
  readonly productName: string;
  /** Whether the tap makes the product a favourite; null for a tap that was not on a heart. */
  readonly isWanted: boolean | null;
  readonly atMs: number;
}

/** A user who comes back after this time has tapped again or changed their mind. */
const GOOD_FOR_MS = 60_000;

/** After this time a notice says that a tap waits. The rest of a second is for drawing the notice. */
const PATIENCE_MS = 700;

export const STILL_OPENING = 'The shop is still loading. Your tap will go through in a moment.';

let noticeTimer: ReturnType<typeof setTimeout> | undefined;

/** Survives into the next document of this tab, because the user may follow a link right after a tap. */
const key = rememberedKey(sessionKey('weft-taps'));

/** Stores taps until `endTaps`. */
export function noteTaps(): void {
  // The absolute difference, because the phone's clock may have been set back.
  const isFresh = ({ atMs }: CardTap) => Math.abs(Date.now() - atMs) < GOOD_FOR_MS;
  write(read().filter(isFresh));
  document.addEventListener('click', note);
}

/** Stops storing taps. Stored taps stay until `takeTaps`. */
export function endTaps(): void {
  document.removeEventListener('click', note);
  clearTimeout(noticeTimer);
}

/** Whether taps wait to be repeated. */
export function hasTaps(): boolean {
  return read().length > 0;
}

/** Returns the stored taps and deletes them, so that only one document of this tab repeats them. */
export function takeTaps(): readonly CardTap[] {
  const taps = read();
  key.clear();
  return taps;
}

function note({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest('button') : null;
  const card = button?.closest<HTMLElement>('[data-product]');
  if (!button || !card) return;
  const productId = Number(card.dataset['product']);
  const isWanted = button.ariaPressed === null ? null : button.ariaPressed === 'false';
  // A user who taps a heart again because it did not change at once means one change.
  const others = read().filter((tap) => isWanted === null || !isHeartOf(tap, productId));
  const productName = card.ariaLabel ?? '';
  write([...others, { productId, productName, isWanted, atMs: Date.now() }]);
  noticeTimer ??= setTimeout(showNotice, PATIENCE_MS);
}

/** Shows a notice in the region that React's notices use later (`notices.tsx`). */
function showNotice(): void {
  const words = document.createElement('span');
  words.textContent = STILL_OPENING;
  const notice = document.createElement('p');
  notice.className = styles['notice'] ?? '';
  notice.append(words);
  document.querySelector(`.${styles['notices']} [role=status]`)?.replaceChildren(notice);
}

function write(taps: readonly CardTap[]): void {
  if (taps.length > 0) key.write(JSON.stringify(taps));
  else key.clear();
}

function isHeartOf(tap: CardTap, productId: number): boolean {
  return tap.isWanted !== null && tap.productId === productId;
}

function read(): readonly CardTap[] {
  const taps = parseJson(key.read());
  return Array.isArray(taps) ? taps.filter(isTap) : [];
}

function isTap(value: unknown): value is CardTap {
  const { productId, productName, isWanted, atMs } = fieldsOf(value);
  return (
    typeof productId === 'number' &&
    typeof productName === 'string' &&
    (isWanted === null || typeof isWanted === 'boolean') &&
    typeof atMs === 'number'
  );
}
