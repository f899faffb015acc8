import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { columnsFor } from './columns.ts';

/** Which rows of the grid are in the document, and their size. Lengths in CSS pixels. */
export interface GridWindow {
  readonly columns: number;
  readonly rowHeight: number;
  /** The first row in the document. */
  readonly first: number;
  /** The row after the last one in the document. */
  readonly end: number;
}

/** Rows in the document above and below the viewport; the tab order needs at least one. */
const SPARE_ROWS = 2;

/**
 * Measures the grid and follows the scroll. The stylesheet makes all rows equally high, so the height of the
 * first row in the document gives the place of every other. When the number of columns changes (the user
 * turns the phone), the product at the top stays there.
 */
export function useGridWindow(grid: RefObject<HTMLElement | null>, count: number): GridWindow {
  const [shown, setShown] = useState(() => {
    // The grid from before React has the same rows: with their true size React need not draw a second time.
    const before = document.querySelector('[data-row]')?.parentElement;
    return before ? measure(before, count, guess()) : guess();
  });
  const { columns, rowHeight } = shown;
  /** The first product in view. */
  const atTop = useRef(0);
  /** The product to scroll back to once the rows of a new width are measured. */
  const toRestore = useRef<number | null>(null);

  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return undefined;
    let frame = 0;
    let observedRow: Element | null = null;
    const remeasure = () => {
      // Rows become higher when their text does. Scrolling replaces the first row in the document.
      const row = element.querySelector('[data-row]');
      if (row !== observedRow) {
        if (observedRow) observer.unobserve(observedRow);
        if (row) observer.observe(row);
        observedRow = row;
      }
      const next = measure(element, count, { columns, rowHeight });
      if (next.columns !== columns) toRestore.current ??= atTop.current;
      else if (toRestore.current === null) atTop.current = firstInView(element, next);
      setShown((last) => (isSame(last, next) ? last : next));
      return next;
    };
    const remeasureNextFrame = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(remeasure);
    };
    const observer = new ResizeObserver(remeasureNextFrame);
    observer.observe(element);
    const now = remeasure();
    const isMeasured = now.columns === columns && now.rowHeight === rowHeight;
    if (toRestore.current !== null && isMeasured) {
      if (toRestore.current > 0) {
        const gridTop = element.getBoundingClientRect().top + window.scrollY;
        window.scrollTo(0, gridTop + Math.floor(toRestore.current / columns) * rowHeight);
      }
      toRestore.current = null;
    }
    window.addEventListener('scroll', remeasureNextFrame, { passive: true });
    window.addEventListener('resize', remeasureNextFrame);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      window.removeEventListener('scroll', remeasureNextFrame);
      window.removeEventListener('resize', remeasureNextFrame);
    };
    // `columns` and `rowHeight`: after they change, the effect measures the newly rendered rows.
  }, [grid, count, columns, rowHeight]);

  // Another filter may have left fewer rows than the last measurement.
  return { ...shown, end: Math.min(shown.end, Math.ceil(count / columns)) };
}

function measure(
  element: HTMLElement,
  count: number,
  last: { readonly columns: number; readonly rowHeight: number },
): GridWindow {
  const columns = columnsFor(element.clientWidth);
  const row = element.querySelector<HTMLElement>('[data-row]');
  // A row for another number of columns has another height; the next measurement corrects it.
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

/** The first product in the viewport; 0 while the grid's top is below the viewport's. */
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

/** Estimates the window before the first measurement: a card has a picture of 4:5 and about 130 px of text. */
function guess(): GridWindow {
  const width = Math.min(document.documentElement.clientWidth, 1600);
  const columns = columnsFor(width);
  const rowHeight = Math.round((width / columns) * 1.25) + 130;
  const end = Math.ceil(window.innerHeight / rowHeight) + SPARE_ROWS;
  return { columns, rowHeight, first: 0, end };
}
