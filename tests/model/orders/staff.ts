/** What the page of staff asks of the shop, and the mail server. */
import type { Message } from '../../../netlify/lib/messages.ts';
import { type Fields, isoTime } from '../../../src/domain/fields.ts';
import type { Run } from './run.ts';

/** Staff mark orders as sent, or take that back. */
export interface StaffJob {
  readonly kind: 'staff';
  readonly change: 'send' | 'unsend';
  readonly orders: readonly SeenOrder[];
}

/** An order as the page of staff last showed it. */
export interface SeenOrder {
  readonly id: string;
  readonly refunded: number;
  /** When it was marked as sent; null for an order that was not. */
  readonly sentAt: string | null;
}

/** The request of the page of staff. */
export function staffFields({ change, orders }: StaffJob): Fields {
  return {
    change,
    orders: orders.map(({ id, refunded, sentAt }) => ({
      id,
      refunded_minor: refunded,
      sent_at: isoTime(sentAt),
    })),
    carrier: 'DHL',
  };
}

/** A mail server that takes a mail, loses it, refuses it, or takes it and loses its answer, as the schedule says. */
export function mailPort(run: Run, note: (message: Message) => void) {
  return async (message: Message): Promise<void> => {
    const answer = await run.call({
      target: 'mail',
      name: `mail ${message.kind} ${message.key}`,
      perform: async (fault) => {
        if (fault === 'broken before')
          return { kind: 'rejected', code: '550', message: '', detail: '' };
        if (fault !== 'lost before') note(message);
        return fault === null ? { kind: 'value', value: null } : { kind: 'lost' };
      },
    });
    if (answer.kind !== 'value') throw new Error('the mail server has not taken it');
  };
}
