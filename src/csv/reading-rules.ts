/**
 * The rules by which exports of shop software are read as a person would read them. Each changes the
 * cells of a row before the row is validated, or leaves the row out; the user can switch each off.
 *
 * Rules add columns under the shop's own names behind those of the file, so that what follows reads
 * the result as a plain product file.
 */
import { columnOf, lettersAndDigitsOf } from './aliases.ts';
import type { ImportColumn } from './columns.ts';
import type { Layout } from './layout.ts';
import type { RuleName } from './remembered.ts';
import { type Sheet, sheetOf } from './sheet.ts';
import { isTotal } from './fields.ts';

/** The rules under which a file is read. The same rules over the same rows give the same rows. */
export interface RowRules {
  readonly names: readonly RuleName[];
  /** Columns of the file itself, before those that rules add. */
  readonly fileColumns: number;
}

/** Changes the cells of a row in place. */
type ReadRow = (cells: string[]) => 'skip' | 'changed' | 'same';

interface ReadingRule {
  /** What the rule does, for the user. */
  readonly title: string;
  /** The columns that it adds to a file, none where the file has them. */
  readonly adds?: (sheet: Sheet) => readonly ImportColumn[];
  /** Null for a file that it does not concern. */
  readonly open: (sheet: Sheet) => ReadRow | null;
}

/** In the order in which they read a row. */
export const READING_RULES: Readonly<Record<RuleName, ReadingRule>> = {
  'picture-rows': {
    title: 'Rows that only add another picture are skipped.',
    open: ({ shopify, headers }) => {
      if (!shopify) return null;
      const isPicture = headers.map((header) =>
        /^(product)?image/.test(lettersAndDigitsOf(header)),
      );
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
    open: ({ at }) => {
      const position = at('SKC');
      return (cells) => (isTotal(cells[position] ?? '') ? 'skip' : 'same');
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
    open: ({ woo, at }) => {
      const price = at('Retail Price');
      if (!woo || price < 0) return null;
      return (cells) =>
        isParent(cells[woo.type]) && (cells[price] ?? '').trim() === '' ? 'skip' : 'same';
    },
  },
  'size-option': {
    title: 'The option named Size is read as the size.',
    adds: ({ options, at }) => (options.length > 0 && at('Size') < 0 ? ['Size'] : []),
    open: ({ options, shopify, added }) => {
      const size = added('Size');
      if (size < 0) return null;
      let names: readonly string[] = [];
      let handle = '';
      return (cells) => {
        const own = options.map(({ name }) => cells[name] ?? '');
        const isSameProduct = shopify !== null && handle === cells[shopify.handle];
        // The later rows of a product do not repeat the names.
        if (own.some((name) => name !== '') || !isSameProduct) names = own;
        handle = shopify === null ? '' : (cells[shopify.handle] ?? '');
        const option = options[names.findIndex((name) => columnOf(name) === 'Size')];
        const value = (option && cells[option.value]) ?? '';
        // A parent lists the sizes of all its variations.
        cells[size] = value.includes(',') ? '' : value;
        return cells[size] === '' ? 'same' : 'changed';
      };
    },
  },
  'category-path': {
    title: 'Category paths such as “Clothing > Shirts” are split at “>”.',
    adds: ({ shopify, woo, at }) =>
      (shopify || woo) && at('Category 1') >= 0 && SUBCATEGORIES.every((column) => at(column) < 0)
        ? SUBCATEGORIES
        : [],
    open: ({ woo, at, added }) => {
      if (added('Category 2') < 0) return null;
      const positions = [at('Category 1'), ...SUBCATEGORIES.map(added)];
      // WooCommerce separates several paths by commas, and writes a comma inside a name as `\,`.
      const mark = woo ? />|(?<!\\),/ : '>';
      return (cells) => {
        const cell = cells[positions[0]!] ?? ''; // it has four
        if (!cell.includes('>') && !cell.includes(',')) return 'same';
        const texts = cell.split(mark).map((step) => step.trim());
        const steps = [...new Set(texts)].filter((step) => step !== '');
        if (steps.length < 2 && !cell.includes('\\,')) return 'same';
        // Of more than four steps the middle ones go: the last says most.
        steps.splice(3, steps.length - positions.length);
        for (const [i, position] of positions.entries()) {
          cells[position] = steps[i]?.replaceAll('\\,', ',') ?? '';
        }
        return 'changed';
      };
    },
  },
};

const SUBCATEGORIES = ['Category 2', 'Category 3', 'Category 4'] as const;

/** Which rules concern a file, and its layout with the columns that they add. */
export function withRules(
  layout: Layout,
  off: readonly RuleName[],
): { readonly layout: Layout; readonly rules: RowRules; readonly offered: readonly RuleName[] } {
  const fileColumns = layout.headers.length;
  const sheet = sheetOf(layout, fileColumns);
  const layoutWith = (names: readonly RuleName[]) =>
    extended(
      layout,
      names.flatMap((name) => READING_RULES[name].adds?.(sheet) ?? []),
    );
  const all = Object.keys(READING_RULES) as RuleName[]; // the keys of the table
  const sheetOfAll = sheetOf(layoutWith(all), fileColumns);
  const offered = all.filter((name) => READING_RULES[name].open(sheetOfAll) !== null);
  const names = offered.filter((name) => !off.includes(name));
  return { layout: layoutWith(names), rules: { names, fileColumns }, offered };
}

function extended(layout: Layout, columns: readonly ImportColumn[]): Layout {
  if (columns.length === 0) return layout;
  return {
    ...layout,
    headers: [...layout.headers, ...columns],
    columns: [...layout.columns, ...columns],
  };
}

/** Applies rules to rows in their order, and counts how many rows each has changed or left out. */
export class RowReader {
  readonly counts: Partial<Record<RuleName, number>> = {};
  /** How many rows were left out. */
  skipped = 0;
  readonly #rules: readonly { readonly name: RuleName; readonly read: ReadRow }[];
  readonly #fileColumns: number;
  readonly #columns: number;

  constructor(layout: Layout, { names, fileColumns }: RowRules) {
    const sheet = sheetOf(layout, fileColumns);
    this.#fileColumns = fileColumns;
    this.#columns = layout.columns.length;
    this.#rules = names.flatMap((name) => {
      const read = READING_RULES[name].open(sheet);
      return read ? [{ name, read }] : [];
    });
  }

  /** Whether the rules look only for totals, which `isTotal` finds by a row's stock code. */
  get findsOnlyTotals(): boolean {
    return this.#rules.every(({ name }) => name === 'totals');
  }

  /** @returns whether the row counts; its cells may have changed */
  read(cells: string[]): boolean {
    if (this.#columns > this.#fileColumns) this.#makeRoom(cells);
    for (let i = 0; i < this.#rules.length; i++) {
      const { name, read } = this.#rules[i]!; // i < length
      const outcome = read(cells);
      if (outcome === 'same') continue;
      this.counts[name] = (this.counts[name] ?? 0) + 1;
      if (outcome === 'changed') continue;
      this.skipped += 1;
      return false;
    }
    return true;
  }

  /** Inserts the added columns before cells that stand under no heading. */
  #makeRoom(cells: string[]): void {
    while (cells.length < this.#fileColumns) cells.push('');
    const added = Array.from({ length: this.#columns - this.#fileColumns }, () => '');
    cells.splice(this.#fileColumns, 0, ...added);
  }
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
