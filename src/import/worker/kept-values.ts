/** The values of products that an import leaves as they are. */

/** A product's values by `keyTextOf`, in the order of `IMPORT_COLUMNS`, '' for a missing one. */
export type StoredValues = ReadonlyMap<string, readonly string[]>;

/** By `IMPORT_COLUMNS`; undefined for a value that the import leaves as it is. */
export type Values = readonly (string | undefined)[];

/** The key of `StoredValues`. */
export function keyTextOf([skc = '', size = '']: Values): string {
  return `${skc}\0${size}`;
}

/** What will be stored of some products, those values included that the import leaves as they are. */
export async function withKeptValues(
  rows: readonly Values[],
  valuesOf: (keys: ReadonlySet<string>) => Promise<StoredValues>,
): Promise<(readonly string[])[]> {
  const keys = new Set(rows.filter((values) => values.includes(undefined)).map(keyTextOf));
  const kept = keys.size > 0 ? await valuesOf(keys) : null;
  return rows.map((values) => {
    const before = kept?.get(keyTextOf(values));
    return values.map((value, i) => value ?? before?.[i] ?? '');
  });
}
