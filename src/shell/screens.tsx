import { type ComponentType, type ReactElement, Suspense } from 'react';
import {
  Navigate,
  UNSAFE_LocationContext as LocationContext,
  useNavigationType,
} from 'react-router-dom';
import { type AccountPath, AccountPageArriving } from '../account/page.tsx';
import { CataloguePage } from '../catalogue/page.tsx';
import { connection } from '../db/connection.ts';
import { type AppRoute, routeOf } from '../domain/routes.ts';
import { Arriving } from '../ui/arriving.tsx';
import { useHead } from '../ui/use-head.ts';
import { useCheckoutDocument } from './checkout-document.ts';
import { ChunkBoundary, lazyScreen } from './chunk-boundary.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { NotFound } from './not-found.tsx';
import { ProductScreen, useShownLocation } from './product-screen.tsx';
import { useScreenFocus } from './screen-focus.ts';
import { useScrollMemory } from './scroll-memory.ts';

/** Like `lazyScreen`, for a screen that needs the open database. */
function lazyWithDatabase(load: () => Promise<ComponentType>) {
  return lazyScreen(async () => {
    const [screen] = await Promise.all([load(), connection.opened()]);
    return screen;
  });
}

type Auth = typeof import('../account/auth.ts').auth;

/** Like `lazyWithDatabase`, for a screen that also sends the shopper's token to the shop's functions. */
function lazyWithTokens(load: () => Promise<ComponentType<{ readonly tokens: Auth }>>) {
  return lazyWithDatabase(async () => {
    const [Screen, { auth }] = await Promise.all([load(), import('../account/auth.ts')]);
    return () => <Screen tokens={auth} />;
  });
}

const LAZY_PAGES = {
  Cart: lazyWithDatabase(async () => (await import('../cart/page.tsx')).CartPage),
  Checkout: lazyWithTokens(async () => (await import('../checkout/page.tsx')).CheckoutPage),
  Success: lazyWithTokens(async () => (await import('../checkout/success.tsx')).SuccessPage),
  Orders: lazyWithTokens(async () => (await import('../checkout/orders/page.tsx')).OrdersPage),
  Import: lazyWithTokens(async () => (await import('../import/page.tsx')).ImportPage),
  StaffOrders: lazyWithTokens(async () => (await import('../staff/staff.tsx')).StaffOrders),
  StaffProducts: lazyWithTokens(async () => (await import('../staff/staff.tsx')).StaffProducts),
};

/** Only `/reset-password` waits for the database; the user can fill in the other forms meanwhile. */
const ACCOUNT_SCREENS: Readonly<Record<AccountPath, ComponentType>> = {
  '/login': lazyScreen(async () => (await import('../account/login.tsx')).LoginPage),
  '/register': lazyScreen(async () => (await import('../account/register.tsx')).RegisterPage),
  '/forgot-password': lazyScreen(
    async () => (await import('../account/forgot-password.tsx')).ForgotPasswordPage,
  ),
  '/reset-password': lazyWithDatabase(
    async () => (await import('../account/reset-password.tsx')).ResetPasswordPage,
  ),
};

interface WhenLoadedProps {
  readonly screen: ComponentType;
  /** Shown until the script has arrived. */
  readonly arriving?: ReactElement;
}

function WhenLoaded({ screen: Screen, arriving }: WhenLoadedProps) {
  return (
    <ChunkBoundary>
      <Suspense fallback={arriving ?? <Arriving />}>
        <Screen />
      </Suspense>
    </ChunkBoundary>
  );
}

function accountScreen(path: AccountPath): ReactElement {
  return (
    <WhenLoaded screen={ACCOUNT_SCREENS[path]} arriving={<AccountPageArriving path={path} />} />
  );
}

const SCREENS: Readonly<Record<AppRoute, ReactElement>> = {
  '/': <CataloguePage />,
  '/product/*': <WhenLoaded screen={ProductScreen} />,
  '/login': accountScreen('/login'),
  '/register': accountScreen('/register'),
  '/forgot-password': accountScreen('/forgot-password'),
  '/reset-password': accountScreen('/reset-password'),
  '/cart': <WhenLoaded screen={LAZY_PAGES.Cart} />,
  '/checkout': <WhenLoaded screen={LAZY_PAGES.Checkout} />,
  '/checkout/success': <WhenLoaded screen={LAZY_PAGES.Success} />,
  '/orders': <WhenLoaded screen={LAZY_PAGES.Orders} />,
  '/admin/import': <WhenLoaded screen={LAZY_PAGES.Import} />,
  '/admin/orders': <WhenLoaded screen={LAZY_PAGES.StaffOrders} />,
  '/admin/products': <WhenLoaded screen={LAZY_PAGES.StaffProducts} />,
};

/** Screens that are drawn before the database is open. */
const WITHOUT_DATABASE: ReadonlySet<AppRoute | undefined> = new Set([
  '/',
  '/product/*',
  '/login',
  '/register',
  '/forgot-password',
]);

/** Whether a page shows nothing before the database is open. */
export function waitsForDatabase(path: string): boolean {
  const route = routeOf(path);
  return route !== undefined && !WITHOUT_DATABASE.has(route);
}

export function Screens() {
  const location = useShownLocation();
  useScrollMemory(location);
  useScreenFocus(location);
  useHead(location);
  const navigationType = useNavigationType();
  const { pathname } = location;
  if (useCheckoutDocument(pathname)) return null;
  if (pathname === '/index.html') return <Navigate to="/" replace />;
  const route = routeOf(pathname);
  return (
    // The hooks of the screen read the location on screen, not the one that a transition leads to.
    <LocationContext value={{ location, navigationType }}>
      {route === undefined ? (
        <NotFound />
      ) : (
        // The key gives each screen error boundaries of its own.
        <ErrorBoundary key={route} isFramed>
          {SCREENS[route]}
        </ErrorBoundary>
      )}
    </LocationContext>
  );
}
