/**
 * The rules by which exports of shop software are read as a person would read them. Each changes the
 * cells of a row before the row is validated, or leaves the row out.
 *
 * Rules add columns under the shop's own names behind those of the file, so that the row validator reads
 * the result like any product file.
 */
import { columnOf, normaliseHeading } from './aliases.ts';
import { IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import type { Layout } from './layout.ts';
import { type Sheet, sheetOf } from './sheet.ts';
import { isTotal, unwrapCell } from './cells.ts';

export type RuleName =
  | 'headings'
  | 'notes'
  | 'picture-rows'
  | 'totals'
  | 'unpublished'
  | 'variant-picture'
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
  headings: {
    title: 'We skip rows that repeat the headings or mark required columns.',
    open: ({ headers, positionInFile }) => {
      const position = positionInFile('SKC');
      const heading = headers[position] ?? '';
      if (heading === '') return null;
      const positions = IMPORT_COLUMNS.map((column) => [column, positionInFile(column)] as const);
      let rows = 0;
      return (cells) => {
        rows += 1;
        const code = (cells[position] ?? '').trim();
        const isHeading = (cell: string, i: number) => cell.trim() === (headers[i] ?? '');
        if (code === heading && cells.every(isHeading)) return 'skip';
        if (rows > SECOND_HEADINGS) return 'same';
        if (OBLIGATION.test(code)) {
          const isWord = (cell: string) => cell.trim() === '' || OBLIGATION.test(cell.trim());
          return cells.every(isWord) ? 'skip' : 'same';
        }
        // Amazon writes the headings twice: for people, and for programs.
        const named = positions.filter(([column, i]) => columnOf(cells[i] ?? '') === column);
        return named.length > 1 && named[0]?.[0] === 'SKC' ? 'skip' : 'same';
      };
    },
  },
  notes: {
    title: 'We skip rows with only a note, such as “# spring”.',
    open: ({ headers }) => {
      if (headers.length < 2) return null;
      const isBlank = (cell: string, i: number) => i === 0 || cell.trim() === '';
      return (cells) => (/^#\s/.test(cells[0] ?? '') && cells.every(isBlank) ? 'skip' : 'same');
    },
  },
  'picture-rows': {
    title: 'We skip rows that only add another picture.',
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
    title: 'We skip rows like “Total”.',
    open: ({ positionInFile }) => {
      const position = positionInFile('SKC');
      return (cells) => (isTotal(cells[position] ?? '') ? 'skip' : 'same');
    },
  },
  'variant-picture': {
    title: 'We use the variant’s picture or, failing that, the product’s first one.',
    open: ({ shopify, positionInFile }) => {
      const picture = positionInFile('Images link');
      if (!shopify || picture < 0 || picture === shopify.variantPicture) return null;
      let handle = '';
      let first = '';
      // The pictures in the rows of a product are its gallery, not those of the variants in the same rows.
      return (cells) => {
        const before = cells[picture] ?? '';
        if (cells[shopify.handle] !== handle || handle === '') {
          handle = cells[shopify.handle] ?? '';
          first = before;
        }
        const own = (cells[shopify.variantPicture] ?? '').trim();
        const next = own === '' ? first : own;
        if (next === before) return 'same';
        while (cells.length < picture) cells.push('');
        cells[picture] = next;
        return 'changed';
      };
    },
  },
  'first-row': {
    title: 'We fill in a product’s missing details from its first row.',
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
    title: 'Variations take missing values from their parent.',
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
  'size-option': {
    title: 'We read the option named Size as the size.',
    adds: ({ options, packedOptions, positionInFile }) =>
      options.length + packedOptions.length > 0 && positionInFile('Size') < 0 ? ['Size'] : [],
    open: ({ options, packedOptions, shopify, woo, addedPosition }) => {
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
        const option = options[names.findIndex(isSizeName)];
        const packed = packedOptions.map((position) => packedSize(cells[position] ?? ''));
        const value = (option ? cells[option.value] : packed.find((text) => text !== '')) ?? '';
        // WooCommerce writes the sizes of all variations at their parent, so a list there is no size.
        if (woo) cells[size] = LISTED.test(value) ? '' : withoutEscapes(value);
        else cells[size] = value;
        return cells[size] === '' ? 'same' : 'changed';
      };
    },
  },
  unpublished: {
    title: 'We skip unpublished products, such as drafts, and hide them.',
    open: ({ shopify, woo, states }) => {
      if (states.length === 0) return null;
      /** The keys of products that are not published. */
      const hidden = new Set<string>();
      return (cells) => {
        // WooCommerce writes an apostrophe before `-1`, so that no spreadsheet takes it for a formula.
        const textAt = (position = -1) => unwrapCell(cells[position] ?? '');
        const state = states.map(textAt).filter((text) => text !== '');
        const isHidden = state.some((text) => UNPUBLISHED.test(text));
        const keys = woo ? [`id:${textAt(woo.id)}`, textAt(woo.sku)] : [textAt(shopify?.handle)];
        for (const key of isHidden ? keys : []) {
          // A copy, because a substring keeps the whole slice of the file in memory.
          if (key !== '') hidden.add(structuredClone(key));
        }
        // In Shopify only the first row of a product has its state. In WooCommerce a variation may say that it is
        // published although its parent is not.
        const isOfHidden = woo
          ? hidden.has(textAt(woo.parent))
          : state.length === 0 && hidden.has(textAt(shopify?.handle));
        return isHidden || isOfHidden ? 'skip' : 'same';
      };
    },
  },
  parents: {
    title: 'We skip parent products because they have no price.',
    open: ({ woo, positionInFile }) => {
      const price = positionInFile('Retail Price');
      if (!woo || price < 0) return null;
      return (cells) =>
        isParent(cells[woo.type]) && (cells[price] ?? '').trim() === '' ? 'skip' : 'same';
    },
  },
  'category-path': {
    title: 'We split category paths such as “Clothing > Shirts” at “>”.',
    adds: ({ shopify, woo, positionInFile, hasPaths }) => {
      const hasCategory = positionInFile('Category 1') >= 0;
      const hasSubcategory = SUBCATEGORIES.some((column) => positionInFile(column) >= 0);
      const mayHavePaths = shopify !== null || woo !== null || hasPaths;
      return mayHavePaths && hasCategory && !hasSubcategory ? SUBCATEGORIES : [];
    },
    open: ({ woo, positionInFile, addedPosition }) => {
      if (addedPosition('Category 2') < 0) return null;
      const positions = [positionInFile('Category 1'), ...SUBCATEGORIES.map(addedPosition)];
      // WooCommerce separates several paths by commas.
      const mark = woo ? new RegExp(`>|${LISTED.source}`) : '>';
      return (cells) => {
        const whole = cells[positions[0]!] ?? ''; // there are four positions
        const isMagento = MAGENTO_PATH.test(whole);
        const cell = isMagento ? firstMagentoPath(whole) : whole;
        if (!isMagento && !cell.includes('>') && !cell.includes(',')) return 'same';
        const texts = cell.split(isMagento ? '/' : mark).map((step) => step.trim());
        const steps = [...new Set(texts)].filter((step) => step !== '');
        // A single step stays as it is, unless it has escapes or a root category to remove.
        if (steps.length < 2 && !cell.includes('\\,') && !isMagento) return 'same';
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

/** How many rows below the headings may be headings once more. */
const SECOND_HEADINGS = 3;
/** Words below the headings that say whether a column must be filled. */
const OBLIGATION =
  /^(?:mandatory|required|recommended|preferred|optional|conditionally required|pflichtfeld|obligatoire|facultatif|obligatorio|opcional|obbligatorio|facoltativo)$/i;

/** Magento lists the paths of a product, each from its root category on. */
const MAGENTO_PATH = /^Default Category(?:\/|,|$)/;

/** Of `Default Category/Men/Tops,Default Category/Sale` the steps behind the root: `Men/Tops`. */
function firstMagentoPath(list: string): string {
  const paths = list.split(',').map((path) => path.replace(/^Default Category\/?/, ''));
  return paths.find((path) => path !== '') ?? '';
}

/** Whether an option with this name is the size: `Size`, `Talla`, `Shoe size`, `Ring Size`, `Age`. */
function isSizeName(name: string): boolean {
  return columnOf(name) === 'Size' || /(?:\bsize|größe|^age)$/i.test(name.trim());
}

/** The size in `size=S,color=White` or `Color:Red,Size:S`; '' for none. */
function packedSize(cell: string): string {
  for (const pair of cell.split(/[,;|]/)) {
    const [name = '', value = ''] = pair.split(/[=:]/);
    if (isSizeName(name.trim())) return value.trim();
  }
  return '';
}

/** The comma between the values of a list. Inside a value WooCommerce writes a comma as `\,`. */
const LISTED = /(?<!\\),/;

function withoutEscapes(value: string): string {
  return value.replaceAll('\\,', ',');
}

/**
 * What stands under Status in Shopify, under Published in Shopify (in the language of the spreadsheet that saved the
 * file) and in WooCommerce (0: private, -1: draft).
 */
const UNPUBLISHED =
  /^(?:draft|archived|inactive|hidden|disabled|unlisted|false|falsch|faux|falso|onwaar|fałsz|yanlış|no|(?:0|-1)(?:\.0+)?)$/i;

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

/** Applies rules to rows in their order, and counts how many rows each has changed or left out. */
export class RuleApplier {
  readonly counts: Partial<Record<RuleName, number>> = {};
  /** How many rows were left out. */
  skipped = 0;
  /** The rule that has left out the last row; null where none has. */
  skippedBy: RuleName | null = null;
  readonly #rules: readonly { readonly name: RuleName; readonly read: ReadRow }[];
  /** How many columns the file itself has. */
  readonly #fileColumns: number;
  /** How many columns there are with those that the rules add. */
  readonly #allColumns: number;

  constructor(layout: Layout, { names, fileColumns }: RowRules) {
    const sheet = sheetOf(layout, fileColumns);
    this.#fileColumns = fileColumns;
    this.#allColumns = layout.columns.length;
    this.#rules = names.flatMap((name) => {
      const read = READING_RULES[name].open(sheet);
      return read ? [{ name, read }] : [];
    });
  }

  /**
   * Changes the cells in place.
   *
   * @returns false for a row to leave out
   */
  apply(cells: string[]): boolean {
    this.skippedBy = null;
    if (this.#allColumns > this.#fileColumns) this.#makeRoom(cells);
    for (let i = 0; i < this.#rules.length; i++) {
      const { name, read } = this.#rules[i]!; // i < length
      const outcome = read(cells);
      if (outcome === 'same') continue;
      this.counts[name] = (this.counts[name] ?? 0) + 1;
      if (outcome === 'changed') continue;
      this.skipped += 1;
      this.skippedBy = name;
      return false;
    }
    return true;
  }

  /** Inserts blank cells for the columns that rules add, before any cells that stand beyond the headings. */
  #makeRoom(cells: string[]): void {
    while (cells.length < this.#fileColumns) cells.push('');
    const added = Array.from({ length: this.#allColumns - this.#fileColumns }, () => '');
    cells.splice(this.#fileColumns, 0, ...added);
  }
}
