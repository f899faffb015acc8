import { type ComponentType, lazy, Suspense } from 'react';
import { useLocation } from 'react-router-dom';
import type { ShopperRow } from '../db/database.ts';
import { NavLink } from '../ui/link.tsx';
import { useDisclosure } from '../ui/disclosure.ts';
import styles from './menu.module.css';
import type { MenuPanelProps } from './menu-panel.tsx';
import { accountHref } from './next.ts';
import { useShopper } from './queries.ts';

/** The account part of the header. Renders nothing until this tab has read who is signed in. */
export function AccountMenu() {
  const shopper = useShopper();
  const { pathname, search } = useLocation();
  if (shopper === undefined) return null;
  if (shopper?.session === 'live') {
    return <ShopperMenu key={shopper.uid} shopper={shopper} />;
  }
  const from = pathname + search;
  return (
    <>
      <NavLink className="thread" to={accountHref('/login', from)}>
        Login
      </NavLink>
      {shopper ? (
        // An ended session leaves the cart on this phone; on a shared phone the shopper can log out.
        <ShopperMenu key={shopper.uid} shopper={shopper} />
      ) : (
        <NavLink className="thread" to={accountHref('/register', from)}>
          Sign Up
        </NavLink>
      )}
    </>
  );
}

/** Loaded with the services (`services.ts`). Without them the menu has no panel, and `main.tsx` offers a reload. */
const MenuPanel = lazy<ComponentType<MenuPanelProps>>(() =>
  import('./menu-panel.tsx').then(
    ({ MenuPanel: Panel }) => ({ default: Panel }),
    () => ({ default: () => null }),
  ),
);

function ShopperMenu({ shopper }: { readonly shopper: ShopperRow }) {
  const { isOpen, close, closeForDialog, root, button, panelId } = useDisclosure();
  const name = shopper.email || 'Account';
  return (
    <div {...root} className={styles['account']}>
      <button type="button" {...button} className={styles['toggle']} aria-label={name}>
        <span>{name.split('@')[0]}</span>
      </button>
      <Suspense>
        <MenuPanel {...{ id: panelId, isOpen, close, closeForDialog, shopper }} />
      </Suspense>
    </div>
  );
}
