import { type RefObject, useLayoutEffect, useState } from 'react';

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
/** Spec: 2 to 5 columns depending on width. */
const COLUMN_BREAKS = [560, 820, 1080];

function columnsFor(width: number): number {
  return 2 + COLUMN_BREAKS.filter((bound) => width >= bound).length;
}

/**
 * Measures the grid and follows the scroll. Rows are of one height (the stylesheet sees to it), so
 * the first row drawn tells where every other one is. `key` says when the content is another one.
 */
export function useGridWindow(grid: RefObject<HTMLElement | null>, count: number): GridWindow {
  const [shown, setShown] = useState(guess);

  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      if (grid.current) setShown((last) => keepIfSame(last, measure(grid.current!, count, last)));
    };
    const lookNextFrame = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    look();
    const observer = new ResizeObserver(lookNextFrame);
    if (grid.current) observer.observe(grid.current);
    window.addEventListener('scroll', lookNextFrame, { passive: true });
    window.addEventListener('resize', lookNextFrame);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      window.removeEventListener('scroll', lookNextFrame);
      window.removeEventListener('resize', lookNextFrame);
    };
    // A new number of columns or height of row is measured again with those drawn.
  }, [grid, count, shown.columns, shown.rowHeight]);

  // Until the next measurement: another filter may have left fewer rows.
  return { ...shown, end: Math.min(shown.end, Math.ceil(count / shown.columns)) };
}

function measure(element: HTMLElement, count: number, last: GridWindow): GridWindow {
  const columns = columnsFor(element.clientWidth);
  const row = element.querySelector<HTMLElement>('[data-row]');
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

function keepIfSame(last: GridWindow, next: GridWindow): GridWindow {
  const isSame =
    last.columns === next.columns &&
    last.rowHeight === next.rowHeight &&
    last.first === next.first &&
    last.end === next.end;
  return isSame ? last : next;
}

/** Before the first measurement: close enough for the right number of rows to be drawn at once. */
function guess(): GridWindow {
  const width = Math.min(document.documentElement.clientWidth, 1600);
  const columns = columnsFor(width);
  const rowHeight = Math.round((width / columns) * 1.25) + 130;
  const end = Math.ceil(window.innerHeight / rowHeight) + SPARE_ROWS;
  return { columns, rowHeight, first: 0, end };
}
