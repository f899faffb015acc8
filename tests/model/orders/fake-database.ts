/**
 * The real SQL in an embedded Postgres. A schedule is one transaction that is rolled back at its
 * end, and each call of a function is a subtransaction in it: it happens as a whole or not at all,
 * as in a transaction of its own.
 *
 * One round trip serves a call and tells in the same breath how everything stands afterwards.
 */
import type { Backend } from '../../../supabase/local/backend.ts';
import { BACKUP_SCHEMA, copyTables, putBack, runScript, type TableCopy } from '../kit/backup.ts';
import { SCHEMA } from './fake-database-schema.ts';
import { openTestBackend } from '../../supabase/shop.ts';

export interface SeenOrder {
  readonly id: string;
  readonly state: string;
  readonly review: string | null;
  readonly total: number;
  readonly mode: string;
  /** Whether it is still of an account, and whether it says of whom and where it goes. */
  readonly owned: boolean;
  readonly named: boolean;
  readonly received: number;
  readonly refunded: number;
  readonly dispute: string | null;
  readonly disputed: number;
  readonly lines: readonly (readonly [product: number, quantity: number, unitMinor: number])[];
}

export interface SeenAttempt {
  readonly order: string;
  readonly number: number;
  readonly provider: 'stripe' | 'paypal';
  readonly state: string;
  readonly reference: string | null;
  readonly rest: unknown;
}

/** A row of payment_events. */
export interface SeenEvent {
  readonly provider: 'stripe' | 'paypal';
  readonly event: string;
  readonly order: string | null;
  readonly outcome: string;
  readonly amount: number | null;
  readonly capture: string | null;
  readonly result: string;
}

/** How everything stands. The tables hold nothing but what the schedule has done. */
export interface Seen {
  readonly orders: readonly SeenOrder[];
  readonly attempts: readonly SeenAttempt[];
  readonly event: readonly SeenEvent[];
  readonly reversals: readonly (readonly [provider: string, id: string, state: string])[];
  readonly moves: readonly (readonly [order: string, from: string, to: string])[];
  readonly cart: readonly (readonly [product: number, quantity: number])[];
  readonly hasAccount: boolean;
}

export type Served =
  | { readonly ok: true; readonly answer: unknown; readonly seen: Seen }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly detail: string;
    };

/** Tables of which a backup holds the rows. */
const COPIED =
  'products cart_items orders order_items order_events payment_attempts payment_events ' +
  'payment_reversals provider_reads deleted_accounts sync_user';

/** In cents, as they are when a schedule begins. */
export const PRICES = [1000, 2550, 799] as const;

/** The functions that the server may call, with the names and types of their arguments. */
const CALLABLE = `
  select p.proname as name, p.prorettype = 'void'::regtype as is_void,
    coalesce(jsonb_agg(jsonb_build_array(a.name, a.type::regtype::text) order by a.place)
      filter (where a.name is not null), '[]') as args
  from pg_proc p
  left join lateral unnest(p.proargnames, p.proargtypes::oid[])
    with ordinality as a (name, type, place) on true
  where p.pronamespace = 'public'::regnamespace and coalesce(a.name like 'p\\_%', true)
    and has_function_privilege('service_role', p.oid, 'execute')
  group by p.oid, p.proname, p.prorettype`;

export class FakeDatabase {
  readonly user: string;
  /** Their ids, in the order of their prices. */
  readonly products: readonly number[];
  readonly #backend: Backend;
  readonly #statements: ReadonlyMap<string, string>;

  private constructor(
    backend: Backend,
    user: string,
    products: readonly number[],
    statements: ReadonlyMap<string, string>,
  ) {
    this.#backend = backend;
    this.user = user;
    this.products = products;
    this.#statements = statements;
  }

  /** @param project folder that holds `supabase/migrations` */
  static async open(project?: string): Promise<FakeDatabase> {
    const backend = await openTestBackend(project === undefined ? {} : { project });
    await runScript(backend, SCHEMA);
    await runScript(backend, BACKUP_SCHEMA);
    const user = await backend.addAccount({ email: 'ada@weft.test', password: 'secret-1' });
    const rows = await backend.query(
      `insert into public.products ("SKC", "Retail Price", ver)
       select 'P-' || i, price / 100.0, 0 from unnest($1::int[]) with ordinality as p (price, i)
       returning id`,
      [PRICES],
    );
    const callable = await backend.query(CALLABLE);
    const statements = new Map(callable.map((row) => [String(row['name']), statementOf(row)]));
    return new FakeDatabase(
      backend,
      user,
      rows.map((row) => Number(row['id'])),
      statements,
    );
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

  /** Remembers how everything stands, under a name. */
  mark(name: string): Promise<unknown> {
    return this.#backend.query(`savepoint ${name}`);
  }

  backTo(name: string): Promise<unknown> {
    return this.#backend.query(`rollback to savepoint ${name}`);
  }

  release(name: string): Promise<unknown> {
    return this.#backend.query(`release savepoint ${name}`);
  }

  /** Calls a function of ours with the server's rights. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<Served> {
    const statement = this.#statements.get(name);
    if (statement === undefined) throw new Error(`the server may not call ${name}`);
    return this.run(statement, args);
  }

  /** Runs one statement, which finds its arguments in `$1`. */
  async run(statement: string, args: Readonly<Record<string, unknown>>): Promise<Served> {
    const [row] = await this.#backend.query('select model.serve($1, $2) as served', [
      statement,
      JSON.stringify(args),
    ]);
    return row?.['served'] as Served; // what the function above builds
  }

  async seen(): Promise<Seen> {
    const [row] = await this.#backend.query('select model.seen() as seen');
    return row?.['seen'] as Seen; // what the function above builds
  }

  /** All that a backup of this moment holds. */
  copy(): Promise<TableCopy> {
    return copyTables(this.#backend, COPIED.split(' '));
  }

  /** @param hasAccount whether the account was there, which is not in the copy */
  async goBack(copy: TableCopy, hasAccount: boolean): Promise<Seen> {
    if (hasAccount) {
      await this.#backend.query('insert into auth.users (id) values ($1) on conflict do nothing', [
        this.user,
      ]);
    }
    await putBack(this.#backend, copy);
    return this.seen();
  }
}

function statementOf(row: Readonly<Record<string, unknown>>): string {
  const args = row['args'] as readonly (readonly [string, string])[]; // what the query builds
  const texts = args.map(([name, type]) =>
    type === 'jsonb' ? `${name} => $1 -> '${name}'` : `${name} => ($1 ->> '${name}')::${type}`,
  );
  const call = `public.${String(row['name'])}(${texts.join(', ')})`;
  return row['is_void'] ? `select null::jsonb from ${call}` : `select to_jsonb(${call})`;
}
