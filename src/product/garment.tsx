import { type ReactNode, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { AddToCart } from '../cart/add-to-cart.tsx';
import { PRODUCT_SIZES } from '../catalogue/columns.ts';
import { ALL, filterHref } from '../catalogue/filter.ts';
import { nameOf } from '../domain/product.ts';
import { chosenSize, leadPictureOf, priceWords, type ProductPage } from '../domain/product-page.ts';
import { Heart } from '../favourites/heart.tsx';
import { Link } from '../ui/link.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Picture } from '../ui/picture.tsx';
import styles from './page.module.css';
import { share } from './share.ts';
import { ShopNotes } from './shop-notes.tsx';
import { Sizes } from './sizes.tsx';

/** One product: its picture, its sizes to choose from, how to buy it, and its label. */
export function Garment({ page }: { readonly page: ProductPage }) {
  const [params] = useSearchParams();
  const askedSize = params.get('size');
  const chosen = chosenSize(page, askedSize);
  const name = chosen ? nameOf({ ...chosen, material: page.material }) : page.fullTitle;
  const sizes = useRef<HTMLFieldSetElement>(null);
  return (
    <div className={styles['page']}>
      <div className={styles['frame']}>
        <Picture
          link={chosen ? chosen.picture : leadPictureOf(page)}
          alt={page.fullTitle}
          sizes={PRODUCT_SIZES}
          isEager
        />
        <Heart productId={(chosen ?? page.sizes[0]).id} productName={name} />
      </div>
      <div className={styles['about']}>
        <PageTitle tab={page.fullTitle}>{page.title}</PageTitle>
        {page.material !== null && (
          <p className={styles['material']} dir="auto">
            {page.material}
          </p>
        )}
        <Sizes ref={sizes} sizes={page.sizes} chosen={chosen} />
        {chosen?.price === null && (
          <p className={styles['unpriced']}>You can’t order this yet because it has no price.</p>
        )}
        {askedSize !== null && chosen?.size !== askedSize && (
          <p role="status">
            {`Size ${askedSize} isn’t available.${chosen && chosen.size !== '' ? ` You’re looking at size ${chosen.size}.` : ''}`}
          </p>
        )}
      </div>
      <div className={styles['buy']}>
        <output className={styles['price']}>{priceWords(page, chosen)}</output>
        {chosen ? (
          <AddToCart key={chosen.id} productId={chosen.id} productName={name} />
        ) : (
          <button type="button" onClick={() => sizes.current?.querySelector('input')?.focus()}>
            Choose a size
          </button>
        )}
      </div>
      <CareLabel page={page} />
      <ShopNotes />
    </div>
  );
}

/** The facts that stand on a label in a garment, and Share. */
function CareLabel({ page }: { readonly page: ProductPage }) {
  return (
    <section className={styles['label']} aria-label="Details">
      <dl>
        <Entry term="Material">{page.material}</Entry>
        <Entry term="Composition">{page.composition}</Entry>
        <Entry term="Stock code">{page.skc}</Entry>
        {page.categories.length > 0 && (
          <Entry term="Categories">
            {page.categories.map((category) => (
              <Link key={category} to={filterHref({ ...ALL, category })} dir="auto">
                {category}
              </Link>
            ))}
          </Entry>
        )}
      </dl>
      <button type="button" onClick={() => void share()}>
        Share<span className="visually-hidden"> this product</span>
      </button>
    </section>
  );
}

function Entry({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  if (children === null) return null;
  return (
    <div>
      <dt>{term}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
