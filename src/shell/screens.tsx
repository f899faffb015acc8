import type { ReactElement } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { CataloguePage } from '../catalogue/page.tsx';
import type { AppRoute } from '../domain/routes.ts';
import { NotFound } from './not-found.tsx';
import { useScrollMemory } from './scroll-memory.ts';
import { Soon } from './soon.tsx';

const SCREENS: Readonly<Record<AppRoute, ReactElement>> = {
  '/': <CataloguePage />,
  '/login': <Soon title="Sign In to Your Account">Signing in is not open yet.</Soon>,
  '/register': <Soon title="Create Your Account">Accounts are not open yet.</Soon>,
  '/cart': <Soon title="Shopping Cart">The cart is not open yet.</Soon>,
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
