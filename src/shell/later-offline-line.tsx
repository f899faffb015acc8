import { lazy, Suspense } from 'react';
import { connection } from '../db/connection.ts';

const OfflineLine = lazy(async () => {
  await connection.opened();
  try {
    return { default: (await import('./offline-line.tsx')).OfflineLine };
  } catch {
    // A first visit that lost the signal: the shop is there, only this line is not.
    return { default: () => null };
  }
});

/** The line about being offline, once the rest is there. */
export function LaterOfflineLine() {
  return (
    <Suspense>
      <OfflineLine />
    </Suspense>
  );
}
