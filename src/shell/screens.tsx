import { type ComponentType, lazy, type ReactElement, Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { CataloguePage } from '../catalogue/page.tsx';
import { connection } from '../db/connection.ts';
import type { AppRoute } from '../domain/routes.ts';
import { Arriving } from '../ui/arriving.tsx';
import { useHead } from '../ui/head.ts';
import { ChunkBoundary } from './chunk-boundary.tsx';
import { NotFound } from './not-found.tsx';
import { useOwnDocument } from './own-document.ts';
import { useScrollMemory } from './scroll-memory.ts';

/** A screen that comes when it is opened, and finds the database open. */
function later(load: () => Promise<ComponentType>) {
  return lazy(async () => {
    const [screen] = await Promise.all([load(), connection.opened()]);
    return { default: screen };
  });
}

type Auth = typeof import('../account/auth.ts').auth;

/** The same for one that asks the shop's functions for something in the shopper's name. */
function laterWithTokens(load: () => Promise<ComponentType<{ readonly tokens: Auth }>>) {
  return later(async () => {
    const [Screen, { auth }] = await Promise.all([load(), import('../account/auth.ts')]);
    return () => <Screen tokens={auth} />;
  });
}

function paying(path: '/checkout' | '/checkout/success' | '/orders') {
  return laterWithTokens(async () => {
    const { PayingScreen } = await import('../checkout/screen.tsx');
    return ({ tokens }) => <PayingScreen path={path} tokens={tokens} />;
  });
}

/** The worker keeps their scripts for offline. */
const LATER = {
  Cart: later(async () => (await import('../cart/page.tsx')).CartPage),
  Login: later(async () => (await import('../account/login.tsx')).LoginPage),
  Register: later(async () => (await import('../account/register.tsx')).RegisterPage),
  ForgotPassword: later(
    async () => (await import('../account/forgot-password.tsx')).ForgotPasswordPage,
  ),
  ResetPassword: later(
    async () => (await import('../account/reset-password.tsx')).ResetPasswordPage,
  ),
  Checkout: paying('/checkout'),
  Success: paying('/checkout/success'),
  Orders: paying('/orders'),
  Import: laterWithTokens(async () => (await import('../import/page.tsx')).ImportPage),
};

function Later({ screen }: { readonly screen: keyof typeof LATER }) {
  const Screen = LATER[screen];
  return (
    <ChunkBoundary>
      <Suspense fallback={<Arriving />}>
        <Screen />
      </Suspense>
    </ChunkBoundary>
  );
}

const SCREENS: Readonly<Record<AppRoute, ReactElement>> = {
  '/': <CataloguePage />,
  '/login': <Later screen="Login" />,
  '/register': <Later screen="Register" />,
  '/forgot-password': <Later screen="ForgotPassword" />,
  '/reset-password': <Later screen="ResetPassword" />,
  '/cart': <Later screen="Cart" />,
  '/checkout': <Later screen="Checkout" />,
  '/checkout/success': <Later screen="Success" />,
  '/orders': <Later screen="Orders" />,
  '/admin/import': <Later screen="Import" />,
};

export function Screens() {
  useScrollMemory();
  useHead();
  if (useOwnDocument(useLocation().pathname)) return null;
  return (
    <Routes>
      {Object.entries(SCREENS).map(([path, screen]) => (
        <Route key={path} path={path} element={screen} />
      ))}
      <Route path="/index.html" element={<Navigate to="/" replace />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
