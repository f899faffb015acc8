import { useNavigate } from 'react-router-dom';
import styles from './search-field.module.css';
import { filterHref, useFilter } from './filter.ts';
import { useIsSignedIn } from './queries.ts';

/**
 * Shows only the shopper's favourites, or all products again. On other screens it opens the catalogue. Who is
 * signed out has no favourites, and sees it only where the address filters by them, to show all products again.
 */
export function FavouritesToggle() {
  const filter = useFilter();
  const navigate = useNavigate();
  const { onlyFavourites } = filter;
  if (!useIsSignedIn() && !onlyFavourites) return null;
  return (
    <button
      type="button"
      className={styles['favourites']}
      aria-pressed={onlyFavourites}
      onClick={() => void navigate(filterHref({ ...filter, onlyFavourites: !onlyFavourites }))}
    >
      Favourites
    </button>
  );
}
