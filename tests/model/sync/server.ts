/** The real SQL in an embedded Postgres, serving requests as PostgREST does. */
import type { Backend } from '../../../supabase/local/backend.ts';
import { openTestBackend } from '../../supabase/shop.ts';
import { BACKUP_SCHEMA, copyTables, putBack, runScript, type TableCopy } from '../kit/backup.ts';
import { ROW_WRITES, type RowWrite, SERVE, SCHEMA, statementOf } from './sql.ts';

export interface Applied {
  readonly id: string;
  readonly device: string;
  readonly ver: number;
  readonly kind: string;
  readonly args: unknown;
  readonly outcome: 'applied' | 'rejected';
}

/** A shopper's rows, and the changes applied after the version asked about. */
export interface Seen {
  readonly ver: number;
  readonly cart: readonly (readonly [productId: number, quantity: number, price: number | null])[];
  readonly favourites: readonly number[];
  readonly applied: readonly Applied[];
}

export type Served =
  | { readonly ok: true; readonly result: unknown; readonly seen: Seen | null }
  | { readonly ok: false; readonly code: string; readonly message: string };

export const PRODUCTS = [1, 2, 3, 4, 5, 6] as const;
/** Users and their rows are thrown away after so many schedules, or the tables would grow. */
const SWEEP_EVERY = 40;

/** Tables of which a backup holds the rows. */
const COPIED =
  'sync_user cart_items favorites applied_changes ' +
  'products product_deletions catalogue_meta catalogue_stamps';
const SEQUENCES = `select jsonb_object_agg(sequencename, last_value) as sequences
  from pg_sequences where schemaname = 'public'`;
const SET_SEQUENCES = `
  select setval(('public.' || name)::regclass, coalesce(last, '1')::bigint, last is not null)
  from jsonb_each_text($1) as saved (name, last)`;

export interface ServerBackup {
  readonly users: readonly string[];
  readonly tables: TableCopy;
  readonly sequences: string;
  readonly products: ReadonlyMap<number, number | null>;
}

export class Server {
  #backend: Backend;
  #schedules = 0;
  /** Products that are in the shop now, and their prices. */
  readonly products = new Map<number, number | null>();
  /** Answers about the catalogue, which many tabs ask for, until it changes. */
  #catalogue = new Map<string, unknown>();
  /** Answers to pulls, which tabs repeat, until the shopper's rows may have changed. */
  #pulls = new Map<string, Map<string, Served>>();

  private constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** @param project folder that holds `supabase/migrations` */
  static async open(project?: string): Promise<Server> {
    const backend = await openTestBackend(project === undefined ? {} : { project });
    await runScript(backend, SCHEMA);
    await runScript(backend, BACKUP_SCHEMA);
    return new Server(backend);
  }

  close(): Promise<void> {
    return this.#backend.close();
  }

  /** Makes fresh accounts, and puts all products into the shop. */
  async begin(users: readonly string[]): Promise<void> {
    const { query } = this.#backend;
    if (this.#schedules++ % SWEEP_EVERY === 0) await query('truncate auth.users cascade');
    await query('delete from auth.users where id = any ($1)', [users]);
    await query('insert into auth.users (id) select unnest($1::uuid[])', [users]);
    for (const id of PRODUCTS) {
      if (!this.products.has(id)) await this.stock(id);
      else if (this.products.get(id) !== firstPriceOf(id)) await this.reprice(id, firstPriceOf(id));
    }
    this.#pulls.clear();
  }

  async stock(id: number): Promise<void> {
    const price = firstPriceOf(id);
    this.#changed(id, price);
    const { query } = this.#backend;
    // A real product that comes back has a new id; here the same, so that a schedule can be replayed.
    await query('delete from public.product_deletions where id = $1', [id]);
    await query(`select setval('public.products_id_seq', $1, false)`, [id]);
    await query('insert into public.products ("SKC", "Retail Price", ver) values ($1, $2, 0)', [
      `P-${id}`,
      price,
    ]);
  }

  async withdraw(id: number): Promise<void> {
    this.products.delete(id);
    this.#catalogue.clear();
    await this.#backend.query('delete from public.products where id = $1', [id]);
  }

  async reprice(id: number, price: number | null): Promise<void> {
    this.#changed(id, price);
    await this.#backend.query('update public.products set "Retail Price" = $2 where id = $1', [
      id,
      price,
    ]);
  }

  async backup(users: readonly string[]): Promise<ServerBackup> {
    const [row] = await this.#backend.query(SEQUENCES);
    return {
      users,
      tables: await copyTables(this.#backend, COPIED.split(' '), users),
      sequences: JSON.stringify(row?.['sequences']),
      products: new Map(this.products),
    };
  }

  async restore({ users, tables, sequences, products }: ServerBackup): Promise<void> {
    this.products.clear();
    this.#catalogue.clear();
    this.#pulls.clear();
    for (const [id, price] of products) this.products.set(id, price);
    await putBack(this.#backend, tables, users);
    await this.#backend.query(SET_SEQUENCES, [sequences]);
  }

  /** A statement that draws a version, and changes nothing. */
  async writeNothing(): Promise<void> {
    await this.#backend.query(`select nextval('public.catalogue_ver')`);
    await this.#backend.query('update public.products set "SKC" = "SKC" where false');
    this.#catalogue.clear();
  }

  /** The catalogue as anybody may read it: the changes, or a page of products after a stock code. */
  async browse(path: string, args: object): Promise<unknown> {
    const key = `${path} ${JSON.stringify(args)}`;
    const known = this.#catalogue.get(key);
    if (known !== undefined) return known;
    const answer = await this.call(null, path, args, {});
    if (!answer.ok) throw new Error(`${path}: ${answer.message}`);
    this.#catalogue.set(key, answer.result);
    return answer.result;
  }

  #changed(id: number, price: number | null): void {
    this.products.set(id, price);
    this.#catalogue.clear();
  }

  /**
   * One request in one transaction.
   *
   * @param user whose token it carries; null for none
   * @param stumbleAt the row at which the database fails; 0 for none
   * @param after tell what the shopper's rows are then, and the changes applied after this version
   */
  async call(
    user: string | null,
    path: string,
    args: object,
    { stumbleAt = 0, after = null }: { stumbleAt?: number; after?: number | null },
  ): Promise<Served> {
    const statement = statementOf(path, args);
    if (statement === null) return refused('PGRST202', 'no such function');
    if (user !== null && path === 'rpc/pull') return this.#pull(user, statement, args);
    if (user !== null) this.#pulls.delete(user);
    return this.#serve(user, statement, args, stumbleAt, after);
  }

  async #pull(user: string, statement: string, args: object): Promise<Served> {
    const known = this.#pulls.get(user) ?? new Map<string, Served>();
    this.#pulls.set(user, known);
    const key = JSON.stringify(args);
    const served = known.get(key) ?? (await this.#serve(user, statement, args, 0, null));
    known.set(key, served);
    return served;
  }

  write(user: string, write: RowWrite, after: number): Promise<Served> {
    this.#pulls.delete(user);
    return this.#serve(user, ROW_WRITES[write.kind], { ...write, user }, 0, after);
  }

  /** A simulated minute has passed, which the database’s own clock does not know. */
  async forgetCounts(): Promise<void> {
    await this.#backend.query('delete from public.push_counts where true');
  }

  async seen(user: string): Promise<Seen> {
    const [row] = await this.#backend.query('select model.seen($1, -1) as seen', [user]);
    return row?.['seen'] as Seen; // what the function above builds
  }

  async #serve(
    user: string | null,
    statement: string,
    args: unknown,
    stumbleAt: number,
    after: number | null,
  ): Promise<Served> {
    const role = user === null ? 'anon' : 'authenticated';
    const values = [role, user, statement, JSON.stringify(args), stumbleAt || null, after];
    try {
      const [row] = await this.#backend.query(SERVE, values);
      const served = row?.['served'] as { result: unknown; seen: Seen | null };
      return { ok: true, ...served };
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      return refused(String(error.code), error.message);
    }
  }
}

function firstPriceOf(id: number): number | null {
  return id === 1 ? null : id * 9.95;
}

function refused(code: string, message: string): Served {
  return { ok: false, code, message };
}

/** HTTP status of a SQLSTATE, as PostgREST's manual lists them. */
export function statusOf(code: string, isSignedIn: boolean): number {
  if (code === '42501') return isSignedIn ? 403 : 401;
  if (code === 'PGRST202') return 404;
  if (code.startsWith('PT')) return Number(code.slice(2));
  if (code === '23503' || code === '23505') return 409;
  if (code.startsWith('53')) return 503;
  return /^(25|2D|38|39|3B|40|55|57|58|XX)/.test(code) ? 500 : 400;
}
