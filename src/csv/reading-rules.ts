/**
 * The rules by which exports of shop software are read as a person would read them. Each changes the
 * cells of a row before the row is validated, or leaves the row out.
 *
 * Rules add columns under the shop's own names behind those of the file, so that the row validator reads
 * the result like any product file.
 */
import { columnOf, normaliseHeading } from './aliases.ts';
import type { ImportColumn } from './columns.ts';
import type { Layout } from './layout.ts';
import { type Sheet, sheetOf } from './sheet.ts';
import { isTotal } from './fields.ts';

export type RuleName =
  | 'picture-rows'
  | 'totals'
  | 'unpublished'
  | 'first-row'
  | 'from-parent'
  | 'parents'
  | 'size-option'
  | 'category-path';

/** The rules under which a file is read. The same rules over the same rows give the same rows. */
export interface RowRules {
  readonly names: readonly RuleName[];
  /** How many columns the file itself has. Those that rules add stand behind them. */
  readonly fileColumns: number;
}

/** Changes the cells of a row in place; `skip` leaves the row out. Gets the rows in the order of the file. */
export type ReadRow = (cells: string[]) => 'skip' | 'changed' | 'same';

interface ReadingRule {
  /** What the rule does, for the user. */
  readonly title: string;
  /** The columns that the rule adds to a file; none where the file has them. */
  readonly adds?: (sheet: Sheet) => readonly ImportColumn[];
  /** Returns a function for the rows of one file; null for a file that the rule does not concern. */
  readonly open: (sheet: Sheet) => ReadRow | null;
}

/** In the order in which they read a row. */
export const READING_RULES: Readonly<Record<RuleName, ReadingRule>> = {
  'picture-rows': {
    title: 'Rows that only add another picture are skipped.',
    open: ({ shopify, headers }) => {
      if (!shopify) return null;
      const isPicture = headers.map((header) => /^(product)?image/.test(normaliseHeading(header)));
      const isBlank = (cell: string) => cell.trim() === '';
      return (cells) => {
        const saysNothingElse = (cell: string, i: number) =>
          i === shopify.handle || isPicture[i] || isBlank(cell);
        const hasPicture = cells.some((cell, i) => isPicture[i] && !isBlank(cell));
        return hasPicture && cells.every(saysNothingElse) ? 'skip' : 'same';
      };
    },
  },
  totals: {
    title: 'Rows like “Total” are skipped.',
    open: ({ positionInFile }) => {
      const position = positionInFile('SKC');
      return (cells) => (isTotal(cells[position] ?? '') ? 'skip' : 'same');
    },
  },
  unpublished: {
    title: 'Products that are not published, such as drafts and archived ones, are skipped.',
    open: ({ shopify, woo }) => {
      const positions = [shopify?.status ?? -1, (shopify ?? woo)?.published ?? -1];
      if (positions.every((position) => position < 0)) return null;
      /** The keys of products that are not published. */
      const hidden = new Set<string>();
      return (cells) => {
        const textAt = (position = -1) => (cells[position] ?? '').trim();
        const state = positions.map(textAt).filter((text) => text !== '');
        const isHidden = state.some((text) => UNPUBLISHED.test(text));
        const keys = woo ? [`id:${textAt(woo.id)}`, textAt(woo.sku)] : [textAt(shopify?.handle)];
        for (const key of isHidden ? keys : []) {
          // A copy, because a substring keeps the whole slice of the file in memory.
          if (key !== '') hidden.add(structuredClone(key));
        }
        // In Shopify only the first row of a product says it. A variation of WooCommerce may say that it is
        // published though its parent is not.
        const isOfHidden = woo
          ? hidden.has(textAt(woo.parent))
          : state.length === 0 && hidden.has(textAt(shopify?.handle));
        return isHidden || isOfHidden ? 'skip' : 'same';
      };
    },
  },
  'first-row': {
    title: 'What a product says only once, in its first row, counts for its other rows.',
    open: ({ shopify, inherited, options }) => {
      if (!shopify) return null;
      const positions = [...inherited, ...options.map(({ name }) => name)];
      let first: readonly string[] = [];
      return (cells) => {
        const handle = cells[shopify.handle];
        if (handle && handle === first[shopify.handle]) return fillBlanks(cells, first, positions);
        first = cells.slice();
        return 'same';
      };
    },
  },
  'from-parent': {
    title: 'Variations take what they lack from their parent.',
    open: ({ woo, inherited, headers }) => {
      if (!woo) return null;
      /** By what variations name as their parent: its stock code, or `id:` and its id. */
      const parents = new Map<string, readonly string[]>();
      return (cells) => {
        const parent = parents.get((cells[woo.parent] ?? '').trim());
        if (parent) return fillBlanks(cells, parent, inherited);
        if (!isParent(cells[woo.type])) return 'same';
        // Copies, because a substring keeps the whole slice of the file in memory.
        const kept = headers.map((_, i) => (inherited.includes(i) ? (cells[i] ?? '') : ''));
        const copy = structuredClone(kept);
        parents.set(`id:${(cells[woo.id] ?? '').trim()}`, copy);
        const code = (cells[woo.sku] ?? '').trim();
        if (code !== '') parents.set(structuredClone(code), copy);
        return 'same';
      };
    },
  },
  parents: {
    title: 'Parents of variations, which have no price of their own, are skipped.',
    open: ({ woo, positionInFile }) => {
      const price = positionInFile('Retail Price');
      if (!woo || price < 0) return null;
      return (cells) =>
        isParent(cells[woo.type]) && (cells[price] ?? '').trim() === '' ? 'skip' : 'same';
    },
  },
  'size-option': {
    title: 'The option named Size is read as the size.',
    adds: ({ options, positionInFile }) =>
      options.length > 0 && positionInFile('Size') < 0 ? ['Size'] : [],
    open: ({ options, shopify, woo, addedPosition }) => {
      const size = addedPosition('Size');
      if (size < 0) return null;
      let names: readonly string[] = [];
      let handle = '';
      return (cells) => {
        const namesInRow = options.map(({ name }) => cells[name] ?? '');
        const isSameProduct = shopify !== null && handle === cells[shopify.handle];
        // The later rows of a product do not repeat the names.
        if (namesInRow.some((name) => name !== '') || !isSameProduct) names = namesInRow;
        handle = shopify === null ? '' : (cells[shopify.handle] ?? '');
        const option = options[names.findIndex((name) => columnOf(name) === 'Size')];
        const value = (option && cells[option.value]) ?? '';
        // WooCommerce writes the sizes of all variations at their parent, so a list there is no size.
        if (woo) cells[size] = LISTED.test(value) ? '' : withoutEscapes(value);
        else cells[size] = value;
        return cells[size] === '' ? 'same' : 'changed';
      };
    },
  },
  'category-path': {
    title: 'Category paths such as “Clothing > Shirts” are split at “>”.',
    adds: ({ shopify, woo, positionInFile }) => {
      const hasCategory = positionInFile('Category 1') >= 0;
      const hasSubcategory = SUBCATEGORIES.some((column) => positionInFile(column) >= 0);
      return (shopify || woo) && hasCategory && !hasSubcategory ? SUBCATEGORIES : [];
    },
    open: ({ woo, positionInFile, addedPosition }) => {
      if (addedPosition('Category 2') < 0) return null;
      const positions = [positionInFile('Category 1'), ...SUBCATEGORIES.map(addedPosition)];
      // WooCommerce separates several paths by commas.
      const mark = woo ? new RegExp(`>|${LISTED.source}`) : '>';
      return (cells) => {
        const cell = cells[positions[0]!] ?? ''; // there are four positions
        if (!cell.includes('>') && !cell.includes(',')) return 'same';
        const texts = cell.split(mark).map((step) => step.trim());
        const steps = [...new Set(texts)].filter((step) => step !== '');
        if (steps.length < 2 && !cell.includes('\\,')) return 'same';
        // Of more than four steps, keeps the first three and the last, which says most.
        steps.splice(3, steps.length - positions.length);
        for (const [i, position] of positions.entries()) {
          cells[position] = withoutEscapes(steps[i] ?? '');
        }
        return 'changed';
      };
    },
  },
};

/** The comma between the values of a list. Inside a value WooCommerce writes a comma as `\,`. */
const LISTED = /(?<!\\),/;

function withoutEscapes(value: string): string {
  return value.replaceAll('\\,', ',');
}

/**
 * What stands under Status in Shopify, under Published in Shopify (in the language of the spreadsheet that saved the
 * file) and in WooCommerce (0: private, -1: draft).
 */
const UNPUBLISHED = /^(?:draft|archived|false|falsch|faux|falso|onwaar|fałsz|yanlış|0|-1)$/i;

const SUBCATEGORIES = ['Category 2', 'Category 3', 'Category 4'] as const;

/** The rules under which a file is read, and its layout with the columns that they add. */
export function withRules(layout: Layout): { readonly layout: Layout; readonly rules: RowRules } {
  const fileColumns = layout.headers.length;
  const sheet = sheetOf(layout, fileColumns);
  const all = Object.keys(READING_RULES) as RuleName[]; // the keys of the table
  const withAdded = withColumns(
    layout,
    all.flatMap((name) => READING_RULES[name].adds?.(sheet) ?? []),
  );
  const sheetWithAdded = sheetOf(withAdded, fileColumns);
  const names = all.filter((name) => READING_RULES[name].open(sheetWithAdded) !== null);
  return { layout: withAdded, rules: { names, fileColumns } };
}

function withColumns(layout: Layout, columns: readonly ImportColumn[]): Layout {
  if (columns.length === 0) return layout;
  return {
    ...layout,
    headers: [...layout.headers, ...columns],
    columns: [...layout.columns, ...columns],
  };
}

/** Fills the blank cells at these positions from another row. */
function fillBlanks(cells: string[], from: readonly string[], positions: readonly number[]) {
  let outcome: 'changed' | 'same' = 'same';
  for (const position of positions) {
    const value = from[position] ?? '';
    if (value === '' || (cells[position] ?? '').trim() !== '') continue;
    // A spreadsheet leaves out the blank cells at the end of a row.
    while (cells.length < position) cells.push('');
    cells[position] = value;
    outcome = 'changed';
  }
  return outcome;
}

/** Under Type, WooCommerce calls a product with variations `variable`. */
function isParent(type = ''): boolean {
  return /\bvariable\b/.test(type);
}
