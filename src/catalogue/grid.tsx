import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { FIRST_PAGE_ROWS } from '../domain/catalogue-chunk.ts';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { formatCount } from '../domain/count.ts';
import { namesAmong } from '../domain/product.ts';
import { Card } from './card.tsx';
import styles from './grid.module.css';
import { useGridWindow } from './grid-window.ts';

/**
 * The largest height in CSS pixels. Browsers lay out at most 33 million device pixels, and a dense phone has
 * three to a CSS pixel. The user reaches products below this height by search and chips.
 */
const MOST_PX = 10_000_000;

/** The elements of a card that can have the focus. */
const CONTROLS = 'a, button';

interface GridProps {
  readonly index: CatalogueIndex;
  /** Places in the index, in the order to show. */
  readonly found: readonly number[];
}

/**
 * The product grid. Only the rows near the viewport, and those around the focus, are in the
 * document; `aria-setsize` tells assistive technology how long the list really is.
 */
export function Grid({ index, found }: GridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const { columns, rowHeight, first, end } = useGridWindow(grid, found.length);
  const { focused, noteFocus } = useFocusedCell(grid, columns, found);
  const rowCount = Math.min(Math.ceil(found.length / columns), Math.floor(MOST_PX / rowHeight));

  // With the neighbouring rows, so that Tab finds the next button before the grid has followed the scroll.
  const focusedRow = focused === null ? null : Math.floor(focused / columns);
  const aroundFocus = focusedRow === null ? [] : [focusedRow - 1, focusedRow, focusedRow + 1];
  const rows = aroundFocus.filter((row) => row >= 0 && row < first && row < rowCount);
  for (let row = first; row < Math.min(end, rowCount); row++) rows.push(row);
  rows.push(...aroundFocus.filter((row) => row >= end && row < rowCount));
  const drawn = rows.flatMap((row) => found.slice(row * columns, (row + 1) * columns));
  // A name depends on the other products. `first-cards.ts` has named the first page, so the first page counts here
  // too: no name changes when React takes over.
  const named = [...found.slice(0, FIRST_PAGE_ROWS), ...drawn];
  const nameOf = namesAmong(named.flatMap((place) => index.at(place) ?? []));

  return (
    <>
      <div
        ref={grid}
        role="list"
        className={styles['grid']}
        style={{ height: rowCount * rowHeight, '--columns': columns } as CSSProperties}
        onFocus={(event) => noteFocus(event.target)}
        onBlur={(event) => noteFocus(event.relatedTarget)}
      >
        {rows.map((row) => (
          <div
            key={row}
            className={styles['row']}
            data-row={row}
            style={{ transform: `translateY(${row * rowHeight}px)` }}
          >
            {found.slice(row * columns, (row + 1) * columns).map((place, column) => {
              const product = index.at(place);
              return (
                product && (
                  <div
                    key={product.id}
                    role="listitem"
                    aria-setsize={found.length}
                    aria-posinset={row * columns + column + 1}
                  >
                    <Card product={product} name={nameOf(product)} isEager={row === 0} />
                  </div>
                )
              );
            })}
          </div>
        ))}
      </div>
      {/* On paper only: print has no other rows than the screen. */}
      {drawn.length < found.length && (
        <p className={styles['left-out']}>
          {`This page shows ${drawn.length} of ${formatCount(found.length)} products: the ones that were on screen.`}
        </p>
      )}
      {rowCount * columns < found.length && (
        <p className={styles['limit']}>
          {`Here are the first ${formatCount(rowCount * columns)} of ${formatCount(found.length)} products. Search or choose a category to see more.`}
        </p>
      )}
    </>
  );
}

/**
 * `focused` is the cell that holds the focus, counted from 0. Its row stays in the document when the user
 * scrolls away. When the number of columns changes, the focus moves to the same control in its new row; when the
 * product leaves the grid, to that of the product in its place.
 */
function useFocusedCell(
  grid: RefObject<HTMLElement | null>,
  columns: number,
  found: readonly number[],
) {
  const [focused, setFocused] = useState<number | null>(null);
  /** The control that has the focus, or had it last: its cell, and its index among the cell's controls. */
  const control = useRef<{ readonly cell: number; readonly nth: number } | null>(null);

  function noteFocus(element: EventTarget | null) {
    const cell = element instanceof Element ? element.closest('[aria-posinset]') : null;
    const position = cell ? Number(cell.getAttribute('aria-posinset')) - 1 : null;
    setFocused(position);
    const nth = cell ? [...cell.querySelectorAll(CONTROLS)].findIndex((c) => c === element) : -1;
    // When a control is removed, no element gets the focus (null): the control stays remembered.
    if (position !== null && nth >= 0) control.current = { cell: position, nth };
    else if (element !== null) control.current = null;
  }

  useLayoutEffect(() => {
    const { current } = control;
    if (!current || document.activeElement !== document.body) return;
    const position = Math.min(current.cell + 1, found.length);
    const cell = grid.current?.querySelector(`[aria-posinset="${position}"]`);
    cell?.querySelectorAll<HTMLElement>(CONTROLS)[current.nth]?.focus({ preventScroll: true });
  }, [grid, columns, found]);

  return { focused, noteFocus };
}
