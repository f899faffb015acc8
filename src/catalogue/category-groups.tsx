import { useMemo } from 'react';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import styles from './category-groups.module.css';
import { filterHref, type PageFilter } from './filter.ts';
import { facetsOf } from './facets-of.ts';
import { Link } from '../ui/link.tsx';

/** A product's category fields in the order to show: the index (`Category 1` has 0) and the heading. */
const FIELDS = [
  [1, 'Department'],
  [2, 'Collection'],
  [0, 'Garment'],
  [3, 'Highlights'],
] as const;

interface CategoryGroupsProps {
  readonly catalogue: CatalogueSnapshot;
  /** The categories in use, sorted. */
  readonly categories: readonly string[];
  readonly filter: PageFilter;
}

/** All categories, grouped by the first field in which a product has them; each group is sorted. */
export function CategoryGroups({ catalogue, categories, filter }: CategoryGroupsProps) {
  const groups = useMemo(() => {
    const byField = facetsOf(catalogue.index).categoriesByField();
    return FIELDS.map(([field, heading]) => {
      const inField = new Set(byField[field]);
      return { heading, members: categories.filter((category) => inField.has(category)) };
    }).filter(({ members }) => members.length > 0);
  }, [catalogue, categories]);

  return (
    <div className={styles['groups']}>
      {groups.map(({ heading, members }) => (
        <section key={heading} aria-label={heading}>
          <h2>{heading}</h2>
          <ul>
            {members.map((category) => (
              <li key={category}>
                <Link
                  className="thread"
                  to={filterHref({ ...filter, category })}
                  aria-current={category === filter.category ? 'true' : undefined}
                  dir="auto"
                >
                  {category}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
