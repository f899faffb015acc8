/**
 * The shop's own SQL in an embedded Postgres. A schedule is one transaction, which is rolled back at its
 * end. Each call of a SQL function is a subtransaction in it, because on the real server each call is a
 * transaction: it happens as a whole or not at all.
 *
 * Each call also returns all rows as they are afterwards, to save a second round trip.
 */
import type { Backend } from '../../../supabase/local/backend.ts';
import { openModelBackend, readFunctions, type SqlFunctions, statementOf } from '../kit/backend.ts';
import { SCHEMA } from './model-database-schema.ts';

/** A row of orders with its lines. Amounts are in cents. */
export interface OrderRow {
  readonly id: string;
  readonly state: string;
  /** A remark for the shop's staff; null for none. */
  readonly review: string | null;
  readonly total: number;
  readonly mode: string;
  /** Whether it still belongs to an account. */
  readonly hasOwner: boolean;
  /** Whether it still has an email address or a shipping address. */
  readonly hasContact: boolean;
  readonly sentAt: string | null;
  readonly received: number;
  readonly refunded: number;
  readonly dispute: string | null;
  readonly disputed: number;
  readonly lines: readonly (readonly [product: number, quantity: number, unitMinor: number])[];
}

/** A row of payment_attempts. */
export interface AttemptRow {
  readonly order: string;
  readonly number: number;
  readonly provider: 'stripe' | 'paypal';
  readonly state: string;
  /** The id of its Checkout Session or PayPal order; null until the provider has answered. */
  readonly reference: string | null;
  /** In milliseconds since 1970. */
  readonly expiresMs: number;
}

/** A row of payment_events. `amount` is in cents; `capture` is the provider's id of the payment. */
export interface EventRow {
  readonly provider: 'stripe' | 'paypal';
  readonly order: string | null;
  readonly outcome: string;
  readonly amount: number | null;
  readonly capture: string | null;
  readonly result: string;
}

/** All rows of the tables about orders, which hold only what the schedule has done. */
export interface Rows {
  readonly orders: readonly OrderRow[];
  readonly attempts: readonly AttemptRow[];
  readonly events: readonly EventRow[];
  /** Changes of the state of orders, oldest first. */
  readonly moves: readonly (readonly [order: string, from: string, to: string])[];
  /** Marks of staff, oldest first: `sent` or `unsent`. */
  readonly sendings: readonly (readonly [order: string, kind: string])[];
  /** Each mail by kind and key, and whether the shop has noted that it went. */
  readonly mails: readonly (readonly [name: string, isNoted: boolean])[];
  readonly cart: readonly (readonly [product: number, quantity: number])[];
  readonly hasAccount: boolean;
}

/** The payments that the database has counted for an order. */
export function countedEvents({ events }: Rows): readonly EventRow[] {
  return events.filter(
    ({ outcome, result }) => outcome === 'captured' && result !== 'repeat' && result !== 'unknown',
  );
}

/** The attempts of payments that are not over yet. */
export function liveAttempts({ attempts }: Rows): readonly AttemptRow[] {
  return attempts.filter(({ state }) => /creating|open|capturing|processing/.test(state));
}

/** The answer of a SQL function and all rows afterwards, or the error with which the call was rolled back. */
export type Served =
  | { readonly ok: true; readonly answer: unknown; readonly rows: Rows }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly detail: string;
    };

/** The prices of the three products when a schedule begins, in cents. */
export const PRICES = [1000, 2550, 799] as const;

export class ModelDatabase {
  /** The id of the only account. */
  readonly user: string;
  /** The products' ids, in the order of `PRICES`. */
  readonly products: readonly number[];
  readonly #backend: Backend;
  /** The functions that the server may call. */
  readonly #functions: SqlFunctions;

  private constructor(
    backend: Backend,
    user: string,
    products: readonly number[],
    functions: SqlFunctions,
  ) {
    this.#backend = backend;
    this.user = user;
    this.products = products;
    this.#functions = functions;
  }

  /** @param project folder that holds `supabase/migrations` */
  static async open(project?: string): Promise<ModelDatabase> {
    const backend = await openModelBackend(project, SCHEMA);
    const user = await backend.addAccount({ email: 'ada@weft.test', password: 'secret-1' });
    const rows = await backend.query(
      `insert into public.products ("SKC", "Retail Price", ver)
       select 'P-' || i, price / 100.0, 0 from unnest($1::int[]) with ordinality as p (price, i)
       returning id`,
      [PRICES],
    );
    const products = rows.map((row) => Number(row['id']));
    await backend.query('select public.use_mail(true)');
    const functions = await readFunctions(backend, 'service_role');
    return new ModelDatabase(backend, user, products, functions);
  }

  close(): Promise<void> {
    return this.#backend.close();
  }

  begin(): Promise<unknown> {
    return this.#backend.query('begin');
  }

  rollBack(): Promise<unknown> {
    return this.#backend.query('rollback');
  }

  /** Calls one of the shop's own functions with the server's rights. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<Served> {
    const statement = statementOf(this.#functions, name, args);
    if (statement === null) throw new Error(`the server may not call ${name} like this`);
    return this.run(statement, args);
  }

  /** Runs one statement, whose `$1` is the object of its arguments. */
  async run(statement: string, args: Readonly<Record<string, unknown>>): Promise<Served> {
    const [row] = await this.#backend.query('select model.serve($1, $2) as served', [
      statement,
      JSON.stringify(args),
    ]);
    return row?.['served'] as Served; // what model.serve builds
  }
}
