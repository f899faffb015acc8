import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { addressedFilter, filterHref, useFilter, useSetSearch } from './filter.ts';
import { useIsSignedIn } from './queries.ts';
import styles from './search-field.module.css';

/**
 * The search box, and beside it the toggle for favourites. On the catalogue page the box filters at each
 * letter; on other screens a submit opens the catalogue.
 */
export function SearchField({ id }: { readonly id: string }) {
  const { search } = useFilter();
  const { pathname, key } = useLocation();
  const isOnCatalogue = pathname === '/';
  const setSearch = useSetSearch();
  const input = useRef<HTMLInputElement>(null);
  const [throttle] = useState(createThrottle);
  useEffect(() => throttle.stop, [throttle]);

  // The box shows the search of each new address, such as after Back or a link. The box keeps its text while it is
  // ahead: its last letters are not in the address yet, or React renders an earlier address.
  const shownKey = isOnCatalogue ? key : null;
  useLayoutEffect(() => {
    const isAhead = throttle.isWaiting() || addressedFilter().search !== search;
    if (input.current && !isAhead && searchIn(input.current) !== search) {
      input.current.value = search;
    }
  }, [shownKey, search, throttle]);

  function type(box: HTMLInputElement) {
    const next = searchIn(box);
    if (!isOnCatalogue) return;
    if (next === addressedFilter().search) throttle.stop();
    else throttle.call(next, setSearch);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isOnCatalogue && input.current) setSearch(searchIn(input.current));
  }

  return (
    <div className={styles['box']}>
      {/* The browser submits to `action` when the user is faster than the script. */}
      <form className={styles['form']} role="search" action="/" onSubmit={submit}>
        <label className="visually-hidden" htmlFor={id}>
          Search products
        </label>
        <input
          ref={input}
          id={id}
          className={styles['input']}
          type="search"
          name="q"
          placeholder="Search"
          autoComplete="off"
          enterKeyHint="search"
          onInput={({ currentTarget }) => type(currentTarget)}
        />
      </form>
      <FavouritesToggle />
    </div>
  );
}

/** The search in a box: white space alone is none. */
function searchIn({ value }: HTMLInputElement): string {
  return value.trim() === '' ? '' : value;
}

/**
 * Shows only the shopper's favourites, or all products again. On other screens it opens the catalogue. Who is
 * signed out has no favourites, and sees it only where the address filters by them, to show all products again.
 */
function FavouritesToggle() {
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

/**
 * Safari throws on the 101st change of the address within 30 seconds (WebKit, History.cpp). 40 at
 * once, and then one per 600 ms (50 in 30 seconds), are 90 at most.
 */
const AT_ONCE = 40;
const AT_ONCE_WINDOW_MS = 30_000;
const PAUSE_MS = 600;

/** Throttles calls: 40 in 30 seconds run at once. Of later calls only the last one runs, after a pause. */
function createThrottle() {
  let callTimes: number[] = [];
  let timer: number | null = null;

  function stop() {
    if (timer !== null) window.clearTimeout(timer);
    timer = null;
  }

  return {
    stop,
    isWaiting: () => timer !== null,
    call(text: string, act: (text: string) => void) {
      stop();
      const now = performance.now();
      callTimes = callTimes.filter((time) => now - time < AT_ONCE_WINDOW_MS);
      if (callTimes.length < AT_ONCE) {
        callTimes.push(now);
        act(text);
        return;
      }
      timer = window.setTimeout(() => {
        timer = null;
        // The user may have opened another screen meanwhile: late letters must not lead back.
        if (window.location.pathname === '/') act(text);
      }, PAUSE_MS);
    },
  };
}
