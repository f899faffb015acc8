import { lazy, type ReactElement, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { CataloguePage } from '../catalogue/page.tsx';
import type { AppRoute } from '../domain/routes.ts';
import { ChunkBoundary } from './chunk-boundary.tsx';
import { NotFound } from './not-found.tsx';
import { useScrollMemory } from './scroll-memory.ts';
import { Soon } from './soon.tsx';

/** Screens that come when one of them is opened; the worker keeps them for offline. */
const LATER = {
  Cart: lazy(async () => ({ default: (await import('../cart/page.tsx')).CartPage })),
  Login: lazy(async () => ({ default: (await import('../account/login.tsx')).LoginPage })),
  Register: lazy(async () => ({ default: (await import('../account/register.tsx')).RegisterPage })),
  ForgotPassword: lazy(async () => ({
    default: (await import('../account/forgot-password.tsx')).ForgotPasswordPage,
  })),
  ResetPassword: lazy(async () => ({
    default: (await import('../account/reset-password.tsx')).ResetPasswordPage,
  })),
};

function Later({ screen }: { readonly screen: keyof typeof LATER }) {
  const Screen = LATER[screen];
  return (
    <ChunkBoundary>
      <Suspense>
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
  '/checkout': <Soon title="Checkout">Paying is not open yet.</Soon>,
  '/checkout/success': <Soon title="Thank You">Paying is not open yet.</Soon>,
  '/orders': <Soon title="Your Orders">Orders are not open yet.</Soon>,
  '/admin/import': <Soon title="Product Data Import">The import is not open yet.</Soon>,
};

export function Screens() {
  useScrollMemory();
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
