/** Rows of a file that its import does not send. */
export interface LeftOut {
  /** A later row of the same stock code and size replaces them. */
  readonly replaced: number;
  readonly rejected: number;
  /** A rule that the user may switch off leaves them out. */
  readonly skipped: number;
}

/** The rows of a file by what its import does with them. Every row is in one of these counts. */
export interface RowCounts extends LeftOut {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

export function rowsRead(counts: RowCounts): number {
  const { added, changed, unchanged, replaced, rejected, skipped } = counts;
  return added + changed + unchanged + replaced + rejected + skipped;
}
