import { countOf, formatCount } from '../domain/count.ts';
import type { FileCheck } from './protocol.ts';

/** A larger share of rows or products is a doubt; a smaller one is usual in product files. */
const DOUBTFUL_SHARE = 0.1;

/** How many rows of a checked file an import would send. */
export function sentRows({ accepted, replaced }: FileCheck): number {
  return accepted - replaced;
}

/** What the user wants of an import. */
export interface Wishes {
  /** All rows or nothing: one rejected row is a doubt. */
  readonly isStrict: boolean;
  /** The file is the whole range. */
  readonly isRange: boolean;
}

/** What a check has found that would make the shop look poor, a sentence each. */
export function doubtsAbout(check: FileCheck, { isStrict, isRange }: Wishes): readonly string[] {
  const { rows, rejected, replaced, skipped, foreignPrices, cleared, guess } = check;
  const { leaving, catalogueSize, keyless, alike } = check;
  const readRows = rows - skipped;
  const doubts: string[] = [];
  if (rejected > readRows * DOUBTFUL_SHARE || (isStrict && rejected > 0)) {
    doubts.push(`${formatCount(rejected)} of ${countOf(readRows, 'row')} can’t be imported.`);
  }
  if (replaced > readRows * DOUBTFUL_SHARE) {
    doubts.push(
      `${formatCount(replaced)} of ${countOf(readRows, 'row')} would be replaced by a later row with the ` +
        'same stock code and size.',
    );
  }
  if (guess?.isDoubtful) {
    doubts.push(
      `Some letters look wrong, as in “${guess.words[0]?.after ?? ''}”. Choose another encoding, or save the file ` +
        'as UTF-8.',
    );
  }
  doubts.push(...lackingWords(check));
  if (foreignPrices.count > 0) {
    doubts.push(
      `${countOf(foreignPrices.count, 'price')} in another currency (“${foreignPrices.example}”) ` +
        'would count as dollars.',
    );
  }
  if (alike.count > 0) {
    const verb = alike.count === 1 ? 'differs from another' : 'differ from others';
    doubts.push(
      `${countOf(alike.count, 'new product')} ${verb} only in letter case: “${alike.example}”.`,
    );
  }
  if (cleared > 0) {
    doubts.push(`Blank cells would erase ${countOf(cleared, 'saved value')}.`);
  }
  if (leaving > catalogueSize * DOUBTFUL_SHARE) {
    doubts.push(
      `Rows marked as unpublished would hide ${formatCount(leaving)} of ${countOf(catalogueSize, 'product')}.`,
    );
  }
  if (isRange && keyless > 0) {
    doubts.push(
      keyless === 1
        ? '1 rejected row has no stock code we can read. A product that’s only in that row would be hidden.'
        : `${countOf(keyless, 'rejected row')} have no stock code we can read. Products that are only in ` +
            'those rows would be hidden.',
    );
  }
  return doubts;
}

const LACKS = [
  ['price', 'Retail Price'],
  ['category', 'Category 1'],
  ['picture', 'Images link'],
] as const;

/** Says what many new products lack. The shop would show `N/A`, `Untitled` and an empty hanger. */
function lackingWords({ added, lacking, columns }: FileCheck): string[] {
  const isInFile = (field: string) => columns.some(({ column }) => column === field);
  const lackedByMany = LACKS.filter(([what]) => lacking[what] > added * DOUBTFUL_SHARE);
  // No new product has such a field, and no column is read as it: one sentence names all of these.
  const absent = lackedByMany.filter(
    ([what, field]) => lacking[what] === added && !isInFile(field),
  );
  const others = lackedByMany.filter((lack) => !absent.includes(lack));
  const products = countOf(added, 'new product');
  return [
    ...(absent.length === 0
      ? []
      : [
          `${products} ${added === 1 ? 'has' : 'have'} no ${either(absent.map(([what]) => what))}. ` +
            'If there’s a column for this, choose it under “Columns”.',
        ]),
    ...others.map(([what]) => {
      const verb = lacking[what] === 1 ? 'has' : 'have';
      return `${formatCount(lacking[what])} of ${products} ${verb} no ${what}.`;
    }),
  ];
}

function either(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
}
