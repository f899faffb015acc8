/** Finds which column of a file holds which field of ours, by the headings alone. */
import { meaningOf } from './aliases.ts';
import { IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import type { Match } from './remembered.ts';

/** Matches the fields whose aliases stand in exactly one heading, or none; leaves the others open. */
export function matchHeadings(headers: readonly string[]): Match {
  const match: Partial<Record<ImportColumn, number | null>> = {};
  for (const column of IMPORT_COLUMNS) {
    const [index, ...others] = candidatesFor(column, headers);
    if (others.length === 0) match[column] = index ?? null;
  }
  fillCategories(match, headers);
  return match;
}

/** The columns whose headings could mean a field; a surer alias beats the others. */
export function candidatesFor(column: ImportColumn, headers: readonly string[]): number[] {
  const ranks = headers.map((header) => {
    const meaning = meaningOf(header);
    return meaning?.column === column ? meaning.rank : Number.POSITIVE_INFINITY;
  });
  const bestRank = Math.min(...ranks);
  return bestRank === Number.POSITIVE_INFINITY
    ? []
    : ranks.flatMap((rank, index) => (rank === bestRank ? [index] : []));
}

/** Puts categories without a number (type, department, gender) into the category fields still free. */
function fillCategories(
  match: Partial<Record<ImportColumn, number | null>>,
  headers: readonly string[],
): void {
  const unnumbered = headers
    .map((header, index) => ({ index, meaning: meaningOf(header) }))
    .flatMap(({ index, meaning }) =>
      meaning && meaning.column === null ? [{ index, order: meaning.unnumbered }] : [],
    )
    .sort((a, b) => a.order - b.order);
  const freeFields = IMPORT_COLUMNS.filter(
    (column) => column.startsWith('Category') && match[column] === null,
  );
  for (const [i, { index }] of unnumbered.entries()) {
    const column = freeFields[i];
    if (column !== undefined) match[column] = index;
  }
}
