/** Deliberate bugs in what keeps a cart from being paid twice, and in what a restore leaves behind. */
import type { Mutant } from '../simulator/mutants.ts';

export interface OrderMutant extends Mutant {
  /** Which exhaustive search finds it, where chance needs too long. */
  readonly scenario?: string;
}

const ONCE = 'supabase/migrations/20261122000500_paid_once.sql';
const RESTORE = 'supabase/migrations/20261122000510_after_restore.sql';

export const PAID_ONCE_MUTANTS: readonly OrderMutant[] = [
  {
    name: 'nobody is asked before paying again',
    edits: [{ file: ONCE, find: 'if p_again then return; end if;', replace: 'return;' }],
  },
  {
    name: 'only the order of the request is looked at before paying again',
    edits: [
      {
        file: ONCE,
        find: `    and o.mode = p_asked ->> 'mode' and o.asked -> 'lines' = p_asked -> 'lines'`,
        replace: `    and o.asked = p_asked and p_order is null`,
      },
    ],
  },
  {
    name: 'two phones have a payment page for the same cart',
    edits: [
      {
        file: ONCE,
        find: 'if rival is not null then return rival; end if;',
        replace: '',
      },
    ],
  },
  {
    name: 'a page that shows what was just bought pays it again',
    edits: [
      {
        file: ONCE,
        find: `or o.state = 'paid' and public.was_paid_since`,
        replace: `or false and public.was_paid_since`,
      },
    ],
  },
  {
    name: 'after a restore, money that was heard of for no order counts as known',
    edits: [{ file: RESTORE, find: ` and e.result <> 'unknown'`, replace: '' }],
  },
  {
    name: 'after a restore, money for an order that is there counts as known',
    edits: [
      {
        file: RESTORE,
        find: `and (p.has_arrived or o.state is distinct from 'confirming')`,
        replace: `and o.state is null`,
      },
    ],
  },
];
