import { formatCount } from './count.ts';

/** A sum in whole minor units (cents); the store's only currency is USD. */
export type Minor = number;

/**
 * Reads an amount as PostgREST sends `numeric(12,2)`: a JSON number with at most two decimals.
 * Returns null for anything that is not a finite number of at least 0.
 */
export function parseMinor(amount: unknown): Minor | null {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) return null;
  // 0.29 * 100 is 28.999…; rounding is exact because the source has two decimals.
  return Math.round(amount * 100);
}

/** A total that is to be paid or was paid, with its currency: in other countries `$` means another dollar. */
export function formatTotal(minor: Minor): string {
  return `${formatPrice(minor)} USD`;
}

/** `$1,212.50`, or `N/A` where there is no price (the specification gives both forms). */
export function formatPrice(minor: Minor | null): string {
  if (minor === null) return 'N/A';
  return `$${formatCount(Math.floor(minor / 100))}.${String(minor % 100).padStart(2, '0')}`;
}
