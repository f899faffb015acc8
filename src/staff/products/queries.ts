import { useMemo, useRef } from 'react';
import type { CatalogueSnapshot } from '../../db/catalogue-store.ts';
import { productOf, type ProductRow } from '../../domain/product.ts';
import { productsRemote, type StaffProduct } from '../../remote/products-by-hand.ts';
import { type Polled, type Reader, usePolled } from '../queries.ts';

export const LACKS = ['price', 'picture'] as const;

/** What the list of products shows. */
export interface ProductsFilter {
  readonly search: string;
  readonly category: string | null;
  /** Only products without it; null for all. */
  readonly lack: (typeof LACKS)[number] | null;
}

interface FoundCodes {
  /** The rows of each stock code that match the filter, in the shop's order. */
  readonly codes: readonly (readonly ProductRow[])[];
  readonly hasMore: boolean;
}

/** The first stock codes of the catalogue on this device that match a filter. */
export function useFoundCodes(
  catalogue: CatalogueSnapshot | undefined,
  { search, category, lack }: ProductsFilter,
  most: number,
): FoundCodes {
  return useMemo(() => {
    if (!catalogue) return { codes: [], hasMore: false };
    const { index } = catalogue;
    const rows = new Map<string, ProductRow[]>();
    for (const place of index.find({ category, search })) {
      const row = JSON.parse(index.lineAt(place)) as ProductRow; // `encodeChunk` wrote it on this device
      if (lack !== null && productOf(row)[lack] !== null) continue;
      const ofCode = rows.get(row[1]);
      if (ofCode) ofCode.push(row);
      else if (rows.size > most) break; // one code more than asked for: there are more
      else rows.set(row[1], [row]);
    }
    return { codes: [...rows.values()].slice(0, most), hasMore: rows.size > most };
  }, [catalogue, search, category, lack, most]);
}

interface ReadNow {
  readonly products: readonly StaffProduct[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Products as the shop has them now: `ofCode` all sizes of a stock code, `offSale` those off sale that a text finds.
 * While the shop does not answer, its last answer stays, so that a form keeps what was typed. The caller mounts anew
 * for another text.
 */
export function useProductsNow(
  { uid, tokens, turn }: Reader,
  read: 'ofCode' | 'offSale',
  text: string,
): Polled<ReadNow> {
  const last = useRef<ReadNow | null>(null);
  return usePolled<ReadNow>(
    async () => {
      const answer = await productsRemote(tokens, uid)[read](text);
      if (!answer.ok) return answer;
      return { ok: true, value: { products: answer.value, at: Date.now() } };
    },
    async () => last.current,
    (value) => {
      last.current = value;
      return undefined;
    },
    [uid, tokens, turn, read, text],
  );
}
