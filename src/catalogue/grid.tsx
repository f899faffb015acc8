import { type CSSProperties, useRef, useState } from 'react';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { Card } from './card.tsx';
import styles from './grid.module.css';
import { useScrollMemory } from './scroll-memory.ts';
import { useGridWindow } from './window.ts';

/**
 * Browsers lay out at most 33 million device pixels; a dense phone has three to a CSS pixel. What
 * would lie below is left to search and chips.
 */
const MOST_PX = 10_000_000;

interface GridProps {
  readonly index: CatalogueIndex;
  /** Places in the index, in the order to show. */
  readonly found: readonly number[];
}

/**
 * The product grid. Only the rows near the viewport, and the one that holds the focus, are in the
 * document; the list says how long it really is to whoever cannot see it.
 */
export function Grid({ index, found }: GridProps) {
  const grid = useRef<HTMLDivElement>(null);
  useScrollMemory(true);
  const { columns, rowHeight, first, end } = useGridWindow(grid, found.length);
  const [focusedRow, setFocusedRow] = useState<number | null>(null);
  const rowCount = Math.min(Math.ceil(found.length / columns), Math.floor(MOST_PX / rowHeight));

  const rows: number[] = [];
  for (let row = first; row < end; row++) rows.push(row);
  if (focusedRow !== null && focusedRow < first) rows.unshift(focusedRow);
  if (focusedRow !== null && focusedRow >= end && focusedRow < rowCount) rows.push(focusedRow);

  return (
    <>
      <div
        ref={grid}
        role="list"
        className={styles['grid']}
        style={{ height: rowCount * rowHeight, '--columns': columns } as CSSProperties}
        onFocus={(event) => setFocusedRow(rowOf(event.target))}
        onBlur={() => setFocusedRow(null)}
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
                    <Card product={product} isEager={row === 0} />
                  </div>
                )
              );
            })}
          </div>
        ))}
      </div>
      {rowCount * columns < found.length && (
        <p className={styles['rest']}>
          These are the first {(rowCount * columns).toLocaleString('en-US')} of{' '}
          {found.length.toLocaleString('en-US')} products. Search or choose a category to see the
          others.
        </p>
      )}
    </>
  );
}

function rowOf(element: EventTarget & Element): number | null {
  const row = element.closest<HTMLElement>('[data-row]')?.dataset['row'];
  return row === undefined ? null : Number(row);
}
