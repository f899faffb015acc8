import { type FormEvent, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { addressedFilter, filterHref, useFilter, useSetSearch } from './filter.ts';
import { useIsSignedIn } from './queries.ts';
import styles from './search-field.module.css';

interface Typed {
  readonly text: string;
  /** The search in the address at the last render. */
  readonly address: string;
  /** The searches that this box has sent to the address and that have not been rendered yet. */
  readonly sent: readonly string[];
}

/**
 * The search box, and beside it the toggle for favourites. On the catalogue page the box filters at each
 * letter; on other screens a submit opens the catalogue.
 */
export function SearchField({ id }: { readonly id: string }) {
  const { search } = useFilter();
  const { pathname, key } = useLocation();
  const isOnCatalogue = pathname === '/';
  const setSearch = useSetSearch();
  const [throttle] = useState(createThrottle);
  useEffect(() => throttle.stop, [throttle]);
  const [typed, setTyped] = useState<Typed>({ text: search, address: search, sent: [] });

  if (search !== typed.address) {
    // A search that this box has sent lags behind the typed letters; another one (back, a link) wins.
    const sentIndex = typed.sent.indexOf(search);
    const isOwn = sentIndex !== -1;
    const text = isOwn ? typed.text : search;
    setTyped({ text, address: search, sent: isOwn ? typed.sent.slice(sentIndex + 1) : [] });
  }

  useEffect(() => {
    if (addressedFilter().search !== search) return;
    // React has rendered the window's address, so no sent search will follow: Back may have undone the last
    // one. The box takes the text of the address, unless letters still wait for the throttle's pause.
    setTyped((last) => {
      if (last.sent.length === 0) return last;
      return { text: throttle.isWaiting() ? last.text : search, address: search, sent: [] };
    });
  }, [key, search, throttle]);

  function type(text: string) {
    if (!isOnCatalogue) {
      setTyped({ ...typed, text });
      return;
    }
    const next = text.trim() === '' ? '' : text;
    const isNew = next !== (typed.sent.at(-1) ?? search);
    setTyped({ ...typed, text, sent: isNew ? [...typed.sent, next] : typed.sent });
    if (isNew) throttle.call(next, setSearch);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // On the catalogue the box may still hold a text that was typed on another screen.
    if (isOnCatalogue) type(typed.text);
    else setSearch(typed.text);
  }

  return (
    <div className={styles['box']}>
      {/* The browser submits to `action` when the user is faster than the script. */}
      <form className={styles['form']} role="search" action="/" onSubmit={submit}>
        <label className="visually-hidden" htmlFor={id}>
          Search products
        </label>
        <input
          id={id}
          className={styles['input']}
          type="search"
          name="q"
          placeholder="Search"
          autoComplete="off"
          enterKeyHint="search"
          value={typed.text}
          onChange={(event) => type(event.target.value)}
        />
      </form>
      <FavouritesToggle />
    </div>
  );
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
