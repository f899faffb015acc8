import type { ProductRow } from '../../src/domain/product.ts';
import { generateProducts } from '../../supabase/local/generate.ts';

/**
 * Generated products as they would arrive: in the shop's order, with the ids that the database
 * would give them.
 */
export function generateRows(count: number): ProductRow[] {
  return generateProducts(count).map((row, i) => [
    i + 1,
    String(row.SKC),
    String(row.Size ?? ''),
    textOrNull(row['Images link']),
    textOrNull(row['Category 1']),
    textOrNull(row['Category 2']),
    textOrNull(row['Category 3']),
    textOrNull(row['Category 4']),
    numberOrNull(row['Retail Price']),
    textOrNull(row.Material),
    textOrNull(row['Fabric Composition']),
  ]);
}

type Cell = string | number | null | undefined;

function textOrNull(cell: Cell): string | null {
  return cell === undefined || cell === null ? null : String(cell);
}

function numberOrNull(cell: Cell): number | null {
  return cell === undefined || cell === null ? null : Number(cell);
}
