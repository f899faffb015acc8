import { categoriesOf, compareKeys, type ProductRow, keyOf } from './product.ts';
import { haystackOf } from './search.ts';

/**
 * Names how `encodeChunk` writes products. Raise it when the columns of a row or the search text change
 * (`tests/domain/catalogue-chunk.test.ts` says when): phones then make the search texts of stored products anew
 * from their rows, and load the catalogue again for columns that the rows lack.
 */
export const CATALOGUE_FORMAT = 2;

/**
 * A run of products as one record.
 *
 * The device stores the catalogue as a log of chunks: first the pages of a load, then one chunk per
 * batch of changes; a later chunk overrides an earlier one. The search text is computed when a chunk
 * is written, and rows stay text until a card draws them. So the tab reads 50,000 products as 50
 * records with a few `split` calls.
 */
export interface CatalogueChunk {
  /** The `CATALOGUE_FORMAT` of the build that wrote it. */
  readonly format: number;
  /** Ids of the products in `rows`, in the same order. */
  readonly ids: readonly number[];
  /** One JSON array (`ProductRow`) per line. */
  readonly rows: string;
  /** The search text of one product per line. */
  readonly haystacks: string;
  /** The distinct categories of this chunk. */
  readonly categories: readonly string[];
  /** Four per product: 1 + the index in `categories` for each of its categories, then 0 for what is left. */
  readonly codes: Uint16Array;
  /** Ids that left the catalogue. */
  readonly removed: readonly number[];
  /** Whether `rows` stand in the shop's order, as the pages of a first load do. */
  readonly sorted: boolean;
}

/** Products per chunk when the log is compacted, and per request of a load. */
export const CHUNK_ROWS = 1000;
/** Products in a load's first request: few, so that they appear soon over a slow connection. */
export const FIRST_PAGE_ROWS = 48;

/** Reads one line of `CatalogueChunk.rows`. Nothing checks it again, because `encodeChunk` wrote it. */
export const decodeRow = (line: string) => JSON.parse(line) as ProductRow;

/** The search texts of a chunk's products, made anew where another build has written them. */
export function haystacksOf(chunk: CatalogueChunk): string[] {
  if (chunk.format === CATALOGUE_FORMAT) return linesOf(chunk, 'haystacks');
  return linesOf(chunk, 'rows').map((line) => haystackOf(decodeRow(line)));
}

export function encodeChunk(
  rows: readonly ProductRow[],
  removed: readonly number[] = [],
): CatalogueChunk {
  const codeOf = new Map<string, number>();
  const codes = new Uint16Array(rows.length * 4);
  for (const [i, row] of rows.entries()) {
    for (const [j, category] of categoriesOf(row).entries()) {
      let code = codeOf.get(category);
      if (code === undefined) {
        code = codeOf.size + 1;
        codeOf.set(category, code);
      }
      codes[i * 4 + j] = code;
    }
  }
  return {
    format: CATALOGUE_FORMAT,
    ids: rows.map((row) => row[0]),
    rows: rows.map((row) => JSON.stringify(row)).join('\n'),
    haystacks: rows.map(haystackOf).join('\n'),
    categories: [...codeOf.keys()],
    codes,
    removed,
    sorted: rows.every((row, i) => i === 0 || compareKeys(keyOf(rows[i - 1]!), keyOf(row)) < 0), // i > 0
  };
}

/**
 * The lines of `rows` or `haystacks`; an empty list for a chunk without products.
 * @throws when the record is damaged: there are more or fewer lines than products
 */
export function linesOf(chunk: CatalogueChunk, field: 'rows' | 'haystacks'): string[] {
  const lines = chunk.ids.length === 0 ? [] : chunk[field].split('\n');
  if (lines.length !== chunk.ids.length) throw new Error(`a stored chunk has lost some ${field}`);
  return lines;
}
