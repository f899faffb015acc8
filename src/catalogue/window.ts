import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { columnsFor } from './columns.ts';

/** Which rows of the grid are in the document, and their size. Lengths in CSS pixels. */
export interface GridWindow {
  readonly columns: number;
  readonly rowHeight: number;
  /** The first row drawn, and the one behind the last. */
  readonly first: number;
  readonly end: number;
}

/** Rows kept ready above and below what is seen; one would do for the tab order to be whole. */
const SPARE_ROWS = 2;
/**
 * Measures the grid and follows the scroll. Rows are of one height (the stylesheet sees to it), so
 * the first row drawn tells where every other one is. When the columns change (a turned phone),
 * the product that was at the top stays there.
 */
export function useGridWindow(grid: RefObject<HTMLElement | null>, count: number): GridWindow {
  const [shown, setShown] = useState(guess);
  const { columns, rowHeight } = shown;
  /** The first product in view, and the one to bring back there once the new rows are measured. */
  const atTop = useRef(0);
  const wanted = useRef<number | null>(null);

  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return undefined;
    let frame = 0;
    const look = () => {
      const next = measure(element, count, { columns, rowHeight });
      if (next.columns !== columns) wanted.current ??= atTop.current;
      else if (wanted.current === null) atTop.current = firstInView(element, next);
      setShown((last) => (isSame(last, next) ? last : next));
      return next;
    };
    const lookNextFrame = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    const now = look();
    const isMeasured = now.columns === columns && now.rowHeight === rowHeight;
    if (wanted.current !== null && isMeasured) {
      if (wanted.current > 0) {
        const gridTop = element.getBoundingClientRect().top + window.scrollY;
        window.scrollTo(0, gridTop + Math.floor(wanted.current / columns) * rowHeight);
      }
      wanted.current = null;
    }
    const observer = new ResizeObserver(lookNextFrame);
    observer.observe(element);
    window.addEventListener('scroll', lookNextFrame, { passive: true });
    window.addEventListener('resize', lookNextFrame);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      window.removeEventListener('scroll', lookNextFrame);
      window.removeEventListener('resize', lookNextFrame);
    };
    // A new number of columns or height of row is measured again with those drawn.
  }, [grid, count, columns, rowHeight]);

  // Until the next measurement: another filter may have left fewer rows.
  return { ...shown, end: Math.min(shown.end, Math.ceil(count / columns)) };
}

function measure(
  element: HTMLElement,
  count: number,
  last: { readonly columns: number; readonly rowHeight: number },
): GridWindow {
  const columns = columnsFor(element.clientWidth);
  const row = element.querySelector<HTMLElement>('[data-row]');
  // A row drawn for another number of columns has another height: the next look is the true one.
  const rowHeight = row?.offsetHeight || last.rowHeight;
  const rows = Math.ceil(count / columns);
  const { top } = element.getBoundingClientRect();
  const first = Math.floor(-top / rowHeight) - SPARE_ROWS;
  const end = Math.ceil((window.innerHeight - top) / rowHeight) + SPARE_ROWS;
  return {
    columns,
    rowHeight,
    first: Math.max(0, Math.min(first, rows - 1)),
    end: Math.max(0, Math.min(end, rows)),
  };
}

/** 0 while the page is not scrolled into the grid. */
function firstInView(element: HTMLElement, { columns, rowHeight }: GridWindow): number {
  return Math.max(0, Math.floor(-element.getBoundingClientRect().top / rowHeight)) * columns;
}

function isSame(last: GridWindow, next: GridWindow): boolean {
  return (
    last.columns === next.columns &&
    last.rowHeight === next.rowHeight &&
    last.first === next.first &&
    last.end === next.end
  );
}

/** Before the first measurement: close enough for the right number of rows to be drawn at once. */
function guess(): GridWindow {
  const width = Math.min(document.documentElement.clientWidth, 1600);
  const columns = columnsFor(width);
  const rowHeight = Math.round((width / columns) * 1.25) + 130;
  const end = Math.ceil(window.innerHeight / rowHeight) + SPARE_ROWS;
  return { columns, rowHeight, first: 0, end };
}
