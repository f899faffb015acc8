import { useMemo } from 'react';
import { type CatalogueSnapshot, catalogueStore } from '../../db/catalogue-store.ts';
import { productOf, type ProductRow } from '../../domain/product.ts';
import { productsRemote, type ReadProducts } from '../../remote/products-by-hand.ts';
import { useStore } from '../../ui/use-store.ts';
import { type Fed, type Reader, useFed } from '../queries.ts';

/** The catalogue on this device; undefined until it has been read. */
export function useCatalogue(): CatalogueSnapshot | undefined {
  return useStore(catalogueStore);
}

export const LACKS = ['price', 'picture'] as const;

/** What the list of products shows. */
export interface ProductsFilter {
  readonly search: string;
  readonly category: string | null;
  /** Only products without it; null for all. */
  readonly lack: (typeof LACKS)[number] | null;
}

export interface FoundCodes {
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
      else if (rows.size > most) break;
      else rows.set(row[1], [row]);
    }
    return { codes: [...rows.values()].slice(0, most), hasMore: rows.size > most };
  }, [catalogue, search, category, lack, most]);
}

/** What is off sale, as the shop says it. */
export function useOffSale({ uid, tokens, turn }: Reader, search: string, pages: number) {
  return useProducts(
    () => productsRemote(tokens, uid).offSale(search, pages),
    [uid, tokens, turn, search, pages],
  );
}

/** All sizes of a stock code, also those off sale, as the shop says it now. */
export function useProductNow({ uid, tokens, turn }: Reader, code: string) {
  return useProducts(() => productsRemote(tokens, uid).ofCode(code), [uid, tokens, turn, code]);
}

type ReadNow = ReadProducts & { readonly at: number };

function useProducts(
  read: () => ReturnType<ReturnType<typeof productsRemote>['ofCode']>,
  deps: unknown[],
): Fed<ReadNow> {
  return useFed<ReadNow>(
    async () => {
      const answer = await read();
      return answer.ok ? { ok: true, value: { ...answer.value, at: Date.now() } } : answer;
    },
    async () => null,
    () => undefined,
    deps,
  );
}
