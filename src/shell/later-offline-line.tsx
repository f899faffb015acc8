import { lazy, Suspense } from 'react';
import { connection } from '../db/connection.ts';

const OfflineLine = lazy(async () => {
  await connection.opened();
  try {
    return { default: (await import('./offline-line.tsx')).OfflineLine };
  } catch {
    // On a first visit that lost the network, the shop works without this line.
    return { default: () => null };
  }
});

/** The line about being offline, loaded after the first screen and the database. */
export function LaterOfflineLine() {
  return (
    <Suspense>
      <OfflineLine />
    </Suspense>
  );
}
