/** Money that goes back after an order was paid: refunds, and payments that their payer disputes. */
import type { Fields } from './fields.ts';
import { formatPrice, type Minor } from './money.ts';

/** `won`: the shop keeps the money. */
const DISPUTES = ['open', 'won', 'lost'] as const;

export interface MoneyBack {
  /** What arrived for the order; more than its total when it was paid twice. */
  readonly receivedMinor: Minor;
  /** What of that went back. */
  readonly refundedMinor: Minor;
  /** The sum that payers dispute or have disputed, without refunds; `dispute` says how that stands. */
  readonly disputedMinor: Minor;
  /** Null where nothing was disputed. */
  readonly dispute: (typeof DISPUTES)[number] | null;
}

/** Parses the columns of an order. An unreadable column counts as 0 or none, so that the order is still shown. */
export function parseMoneyBack(row: Fields): MoneyBack {
  return {
    receivedMinor: minorIn(row['received_minor']),
    refundedMinor: minorIn(row['refunded_minor']),
    disputedMinor: minorIn(row['disputed_minor']),
    dispute: DISPUTES.find((known) => known === row['dispute_state']) ?? null,
  };
}

/** Sentences about it. `payer` is `you` for the shopper, and another word for staff. */
export function moneyBackWords(back: MoneyBack, payer = 'you'): string[] {
  const { receivedMinor, refundedMinor, disputedMinor, dispute } = back;
  const words: string[] = [];
  if (refundedMinor > 0) {
    words.push(`Refunded ${formatPrice(refundedMinor)} of ${formatPrice(receivedMinor)}`);
  }
  const amount = formatPrice(disputedMinor);
  if (dispute === 'open') words.push(`Disputed: ${amount} under review`);
  if (dispute === 'won') words.push('Dispute closed: the payment stands');
  if (dispute === 'lost') words.push(`Dispute closed: ${amount} returned to ${payer}`);
  return words;
}

function minorIn(value: unknown): Minor {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0;
}
