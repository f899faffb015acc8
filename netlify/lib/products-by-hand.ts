/** What the functions for products by hand share: what staff read of products, and how they change them. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { IMPORT_COLUMNS, type ImportColumn, KEY_COLUMNS } from '../../src/csv/columns.ts';
import { describeProblem } from '../../src/csv/problems.ts';
import { openRowValidator } from '../../src/csv/row-validator.ts';
import { escapeCell } from '../../src/csv/write.ts';
import type { Fields } from '../../src/domain/fields.ts';
import type { Caller } from './auth.ts';
import { purgeCatalogue } from './catalogue-cache.ts';
import { HttpError, parseBody } from './http.ts';
import { callImports, type Importer } from './imports.ts';
import { admitStaff } from './staff.ts';
import { backendSettings } from './env.ts';
import { flag, IMPORT_ID, isText } from './import-request.ts';

const MOST_LISTED = 200;
/** More than a stock code has sizes. */
const MOST_PRODUCTS = 500;

/** Throws the same errors as `admitStaff`. */
export async function admitToProducts(request: Request): Promise<Importer> {
  const caller = await admitStaff(request, 'change products');
  return { caller, settings: backendSettings() };
}

/** Rows of the table: all products of a stock code or, without a code, the first ones off sale that a search finds. */
export function productsForStaff({ settings }: Importer, query: URLSearchParams): Promise<unknown> {
  const code = query.get('code');
  const search = query.get('search')?.trim() ?? '';
  if (!isText(code ?? '') || !isText(search)) {
    throw new HttpError(400, 'There is no such list of products.');
  }
  return code === null
    ? callImports(settings, 'products_off_sale', { p_search: search, p_limit: MOST_LISTED })
    : callImports(settings, 'products_of', { p_skc: code });
}

/** A product as the person saw it: with its version, or null for one that did not exist. */
type Seen = readonly [skc: string, size: string, ver: number | null];

const NO_SEEN = `seen must name 1 to ${MOST_PRODUCTS} products of one stock code, or a new one.`;
const VALUE_COLUMNS: ReadonlySet<string> = new Set(IMPORT_COLUMNS.slice(KEY_COLUMNS));
type Values = Readonly<Partial<Record<ImportColumn, string>>>;

const CHANGE = v.object({
  importId: IMPORT_ID,
  seen: v.custom<readonly Seen[]>(areSeen, NO_SEEN),
  values: v.custom<Values>(areValues, 'values must map column names to text.'),
  offSale: flag('offSale'),
});

function areSeen(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 1 || value.length > MOST_PRODUCTS) return false;
  const seen: readonly unknown[] = value;
  return seen.every((product) => {
    if (!Array.isArray(product) || product.length !== 3) return false;
    const [skc, size, ver] = product as readonly unknown[];
    const isVersion = Number.isSafeInteger(ver) || (ver === null && seen.length === 1);
    return isText(skc) && skc === (seen[0] as Seen)[0] && isText(size) && isVersion;
  });
}

function areValues(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, text]) => VALUE_COLUMNS.has(name) && isText(text));
}

/**
 * Changes products as an import of its own: stores `values` in all of them and puts them on sale, or with `offSale`
 * takes them off sale. A product that did not exist is added. Returns the counts of `import_part`.
 *
 * @throws HttpError 400 or 422 for what cannot be stored, with the `column`, and 409 where somebody has changed a
 *   product since the person saw it; nothing is changed then
 */
export async function changeByHand(
  { settings, caller }: { readonly settings: Importer['settings']; readonly caller: Caller },
  fields: Fields,
): Promise<unknown> {
  const { importId, seen, values, offSale } = parseBody(CHANGE, fields);
  const [[skc, size, ver]] = seen as readonly [Seen]; // `areSeen` wants one at least
  const isNew = ver === null;
  if (isNew && offSale) throw new HttpError(400, NO_SEEN);
  const key: Values = isNew ? { SKC: escapeCell(skc), Size: size } : {};
  // The validator demands a stock code. It checks and tidies only that of a new product.
  const stored = checked({ SKC: 'any', ...key, ...values });
  const rows = seen.map(([SKC, Size]) => (isNew ? stored : { ...stored, SKC, Size }));
  const keys = isNew ? [[stored['SKC'], stored['Size'], null]] : seen;
  const sizes = [...new Set(keys.map(([, each]) => each))];
  const counts = await callImports(settings, 'change_products', {
    p_import: importId,
    p_user: caller.id,
    p_email: caller.email,
    p_name: sizes.length === 1 && sizes[0] ? `${skc}, size ${sizes[0]}` : skc,
    p_digest: createHash('sha256')
      .update(JSON.stringify([seen, values, offSale]))
      .digest('hex'),
    p_seen: keys,
    p_rows: offSale ? [] : rows,
    p_hidden: offSale ? seen.map(([code, each]) => [code, each]) : [],
  });
  await purgeCatalogue();
  return counts;
}

/** An order holds at most this sum in dollars (`orders.total_minor`), so nobody could buy a dearer product. */
const HIGHEST_PRICE = 999_999.99;

/**
 * A row as the import reads it. Where the import would store something else than what was typed, and warn, it is
 * rejected here: the person is at the page.
 *
 * @throws HttpError 422 with the sentence of the import page
 */
function checked(typed: Values): Record<string, string | null> {
  const columns = IMPORT_COLUMNS.filter((column) => typed[column] !== undefined);
  const row = openRowValidator(
    { columns, headers: columns },
    { decimalMark: null, blankCellsClear: true },
  ).validate(columns.map((column) => typed[column] ?? ''))!; // its stock code is not blank
  const problems = row.ok
    ? row.warnings.filter(({ column }) => column >= KEY_COLUMNS)
    : row.problems;
  const [problem] = problems;
  if (problem) {
    const { reason, advice, rejects } = describeProblem(problem.code);
    reject(IMPORT_COLUMNS[problem.column], rejects ? `${reason} ${advice}` : reason);
  }
  const values = row.ok ? row.values : [];
  const stored: Record<string, string | null> = {};
  for (const [i, column] of IMPORT_COLUMNS.entries()) {
    const value = values[i];
    if (typed[column] !== undefined) stored[column] = value || (column === 'Size' ? '' : null);
  }
  const { 'Images link': picture, 'Retail Price': price } = stored;
  if (picture && !/^(?:https:\/)?\//i.test(picture)) {
    reject(
      'Images link',
      'Start the picture link with https://, or with / for a file on this site.',
    );
  }
  if (Number(price ?? 0) > HIGHEST_PRICE) {
    reject('Retail Price', 'Enter a price up to $999,999.99.');
  }
  return stored;
}

function reject(column: string | undefined, sentence: string): never {
  throw new HttpError(422, sentence, { column });
}
