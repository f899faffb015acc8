import { type SubmitEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useCatalogue } from '../../catalogue/queries.ts';
import { formatPrice } from '../../domain/money.ts';
import { productOf, type ProductRow } from '../../domain/product.ts';
import { productPageOf } from '../../domain/product-page.ts';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Picture } from '../../ui/picture.tsx';
import { textIn } from '../order-list.tsx';
import type { Reader } from '../queries.ts';
import { freshnessWords } from '../words.ts';
import { LACKS, type ProductsFilter, useFoundCodes, useProductsNow } from './queries.ts';

const LISTS = [
  { name: null, label: 'In the shop' },
  { name: 'off-sale', label: 'Hidden' },
  { name: 'price', label: 'No price' },
  { name: 'picture', label: 'No picture' },
] as const;

/** The address of the page with these parameters changed; null or '' leaves one out. */
export function hrefWith(
  params: URLSearchParams,
  changed: Readonly<Record<string, string | null>>,
): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changed)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const query = next.toString();
  return query === '' ? '/admin/products' : `/admin/products?${query}`;
}

/** Finds products: those on sale in the catalogue on this device, those off sale at the shop. */
export function ProductList({ reader }: { readonly reader: Reader }) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const catalogue = useCatalogue();
  const list = params.get('list');
  const isOffSale = list === 'off-sale';
  const search = params.get('search') ?? '';
  const category = params.get('category');

  function find(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    void navigate(hrefWith(params, { search: textIn(event.currentTarget, 'search') }));
  }

  return (
    <>
      <PageTitle>Products</PageTitle>
      <nav aria-label="Product lists">
        {LISTS.map(({ name, label }) => (
          <Link
            key={label}
            className="thread"
            to={hrefWith(params, { list: name })}
            aria-current={name === list ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <form role="search" aria-label="Products" className="field staff-row" onSubmit={find}>
        <input
          key={search}
          type="search"
          name="search"
          aria-label="Stock code, category or material"
          placeholder="Code, category, material"
          maxLength={200}
          defaultValue={search}
        />
        <button type="submit" className="quiet">
          Search
        </button>
      </form>
      {!isOffSale && catalogue && (
        <nav aria-label="Categories" className="staff-chips">
          {[null, ...catalogue.index.categories()].map((each) => (
            <Link
              key={each ?? ''}
              className="thread"
              to={hrefWith(params, { category: each })}
              aria-current={each === category ? 'true' : undefined}
              dir="auto"
            >
              {each ?? 'All'}
            </Link>
          ))}
        </nav>
      )}
      {isOffSale ? (
        <OffSale key={search} {...{ reader, search }} />
      ) : (
        <OnSale
          key={JSON.stringify([search, category, list])}
          {...{ search, category, lack: LACKS.find((lack) => lack === list) ?? null }}
        />
      )}
      <p className="staff-note">
        You’ll find every change in the <Link to="/admin/import">import history</Link>. You can undo
        the last one there.
      </p>
    </>
  );
}

/** How many stock codes are shown at first, and more with each press. */
const STEP = 40;

function OnSale(filter: ProductsFilter) {
  const catalogue = useCatalogue();
  const [most, setMost] = useState(STEP);
  const { codes, hasMore } = useFoundCodes(catalogue, filter, most);
  return (
    <>
      <p role="status">{!catalogue?.isComplete && 'Products are still loading.'}</p>
      {catalogue?.isComplete && codes.length === 0 && <p>No products found.</p>}
      <Codes codes={codes} {...(hasMore && { onMore: () => setMost(most + STEP) })} />
    </>
  );
}

interface OffSaleProps {
  readonly reader: Reader;
  readonly search: string;
}

function OffSale({ reader, search }: OffSaleProps) {
  const polled = useProductsNow(reader, 'offSale', search);
  const rows = polled.value?.products.map(({ row }) => row) ?? [];
  const codes = [...new Set(rows.map(([, skc]) => skc))];
  return (
    <>
      <p role="status">{freshnessWords(polled)}</p>
      {polled.value && rows.length === 0 && <p>No products found.</p>}
      <Codes codes={codes.map((skc) => rows.filter((row) => row[1] === skc))} />
    </>
  );
}

interface CodesProps {
  readonly codes: readonly (readonly ProductRow[])[];
  readonly onMore?: () => void;
}

function Codes({ codes, onMore }: CodesProps) {
  const [params] = useSearchParams();
  return (
    <>
      <ul className="staff-orders staff-lines">
        {codes.map((rows) => {
          const page = productPageOf(rows);
          return (
            page && (
              <li key={page.skc}>
                <Picture link={page.sizes[0].picture} alt="" sizes="4rem" isEager={false} />
                <Link to={hrefWith(params, { product: page.skc })}>
                  <strong dir="auto">{page.fullTitle}</strong>
                  <span dir="auto">{page.skc}</span>
                  <span dir="auto">{page.sizes.map(({ size }) => size).join(', ')}</span>
                  <span>{pricesWords(rows)}</span>
                </Link>
              </li>
            )
          );
        })}
      </ul>
      {onMore && (
        <p>
          <button type="button" className="quiet" onClick={onMore}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}

/** The prices of several sizes: `$45.00`, `$45.00 to $48.00`, `No price`. */
function pricesWords(rows: readonly ProductRow[]): string {
  const prices = rows.map((row) => productOf(row).price).filter((price) => price !== null);
  if (prices.length === 0) return 'No price';
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  return least === most ? formatPrice(least) : `${formatPrice(least)} to ${formatPrice(most)}`;
}
