/** The shop's own SQL in an embedded Postgres, which serves requests as PostgREST does. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Backend } from '../../../supabase/local/backend.ts';
import {
  openModelBackend,
  readFunctions,
  runScript,
  type SqlFunctions,
  statementOf,
} from '../kit/backend.ts';
import { PROJECT } from '../kit/project.ts';
import { BACKUP_SCHEMA, copyTables, restoreTables, type TableCopy } from './backup.ts';
import { ROW_WRITES, type RowWrite, SERVE, SCHEMA } from './sql.ts';

/** A row of applied_changes. */
export interface AppliedChange {
  readonly id: string;
  /** The shopper's version from which on the change is in the rows. */
  readonly ver: number;
  readonly kind: string;
  readonly args: unknown;
  readonly outcome: 'applied' | 'rejected';
  /** SQLSTATE of a rejection. */
  readonly code: string | null;
}

/** A shopper's rows, and the changes that were applied after a version. */
export interface ServerRows {
  /** The shopper's version, which each write of these rows raises. */
  readonly ver: number;
  readonly cart: readonly (readonly [productId: number, quantity: number, price: number | null])[];
  readonly favourites: readonly number[];
  readonly applied: readonly AppliedChange[];
}

/**
 * The answer to a request: the function's result and the rows afterwards, or an error's message and its code, which
 * is a SQLSTATE or PostgREST's own.
 */
export type Served =
  | { readonly ok: true; readonly result: unknown; readonly rows: ServerRows | null }
  | { readonly ok: false; readonly code: string; readonly message: string };

interface ServeOptions {
  /** The database fails at the row write of this number; 0 for no failure. */
  readonly failAtRow?: number;
  /** Also returns the shopper's rows, and the changes applied after this version; null for neither. */
  readonly changesAfter?: number | null;
}

/** The site's own code that answers requests for the catalogue, or a copy of it with a deliberate bug. */
type SiteModules = typeof import('../../../netlify/lib/catalogue.ts') &
  typeof import('../../../netlify/lib/http.ts');

/** Ids of all products that may be in the shop. */
export const PRODUCTS = [1, 2, 3, 4, 5, 6] as const;
/** A page of the catalogue has so few here that a load takes several requests, and the catalogue changes meanwhile. */
const PAGE_ROWS = 2;
/** After this many schedules all accounts and their rows are deleted, so that the tables stay small. */
const SCHEDULES_PER_CLEANUP = 40;

/** The tables that a backup copies. */
const BACKED_UP_TABLES =
  'sync_user cart_items favorites applied_changes devices ' +
  'products product_deletions catalogue_meta catalogue_stamps';
/** The last value of each sequence; null for one that has given none. */
const SEQUENCES = `select jsonb_object_agg(sequencename, last_value) as sequences
  from pg_sequences where schemaname = 'public'`;
const SET_SEQUENCES = `
  select setval(('public.' || name)::regclass, coalesce(last, '1')::bigint, last is not null)
  from jsonb_each_text($1) as saved (name, last)`;

export interface ServerBackup {
  /** The shoppers whose rows it holds. */
  readonly users: readonly string[];
  readonly tables: TableCopy;
  /** The last value of each sequence, as JSON. */
  readonly sequences: string;
  readonly products: ReadonlyMap<number, number | null>;
}

export class Server {
  #backend: Backend;
  /** The functions that pages may call. */
  #functions: SqlFunctions;
  #scheduleCount = 0;
  /** The prices of the products that are in the shop now, by id; null for none. */
  readonly products = new Map<number, number | null>();
  /** The functions with which the site reads the catalogue. */
  #siteFunctions: SqlFunctions;
  /** Answers a request below `/catalogue/`: the site's own code. */
  readonly answerCatalogue: (request: Request) => Promise<Response>;

  private constructor(
    backend: Backend,
    functions: SqlFunctions,
    siteFunctions: SqlFunctions,
    { serve, answerCatalogue }: SiteModules,
  ) {
    this.#backend = backend;
    this.#functions = functions;
    this.#siteFunctions = siteFunctions;
    this.answerCatalogue = serve('GET', (request) =>
      answerCatalogue(new URL(request.url), (name, args) => this.#callAsSite(name, args)),
    );
  }

  /** @param project folder that holds `supabase/migrations` and `netlify/lib` */
  static async open(project: string = PROJECT): Promise<Server> {
    const backend = await openModelBackend(project, SCHEMA);
    await runScript(backend, BACKUP_SCHEMA);
    const lib = pathToFileURL(join(project, 'netlify/lib/'));
    const modules = ['http', 'catalogue'].map(
      (file): Promise<object> => import(new URL(`${file}.ts`, lib).href),
    );
    const ofPages = await readFunctions(backend, 'authenticated');
    const ofSite = await readFunctions(backend, 'service_role');
    const site = Object.assign({}, ...(await Promise.all(modules))) as SiteModules;
    return new Server(backend, ofPages, ofSite, site);
  }

  close(): Promise<void> {
    return this.#backend.close();
  }

  /** Begins a schedule: creates its accounts, and puts all products into the shop at their first prices. */
  async reset(users: readonly string[]): Promise<void> {
    const { query } = this.#backend;
    if (this.#scheduleCount++ % SCHEDULES_PER_CLEANUP === 0)
      await query('truncate auth.users cascade');
    await query('delete from auth.users where id = any ($1)', [users]);
    await query('insert into auth.users (id) select unnest($1::uuid[])', [users]);
    for (const id of PRODUCTS) {
      if (!this.products.has(id)) await this.stock(id);
      else if (this.products.get(id) !== firstPriceOf(id)) await this.reprice(id, firstPriceOf(id));
    }
  }

  /** Adds a product at its first price, or puts it back on sale. */
  async stock(id: number): Promise<void> {
    const price = firstPriceOf(id);
    this.products.set(id, price);
    const { query } = this.#backend;
    const back = await query(
      'update public.products set off_sale = false, "Retail Price" = $2 where id = $1 returning id',
      [id, price],
    );
    if (back.length > 0) return;
    // A product that comes back would get a new id. Here it keeps its id, so that a seed can be replayed.
    await query('delete from public.product_deletions where id = $1', [id]);
    await query(`select setval('public.products_id_seq', $1, false)`, [id]);
    await query('insert into public.products ("SKC", "Retail Price", ver) values ($1, $2, 0)', [
      `P-${id}`,
      price,
    ]);
  }

  async withdraw(id: number): Promise<void> {
    this.products.delete(id);
    await this.#backend.query('delete from public.products where id = $1', [id]);
  }

  /** Takes a product off sale: its row stays, and nobody sees it. */
  async takeOffSale(id: number): Promise<void> {
    this.products.delete(id);
    await this.#backend.query('select public.put_off_sale(null, array[$1::bigint])', [id]);
  }

  async reprice(id: number, price: number | null): Promise<void> {
    this.products.set(id, price);
    await this.#backend.query('update public.products set "Retail Price" = $2 where id = $1', [
      id,
      price,
    ]);
  }

  async backup(users: readonly string[]): Promise<ServerBackup> {
    const [row] = await this.#backend.query(SEQUENCES);
    return {
      users,
      tables: await copyTables(this.#backend, BACKED_UP_TABLES.split(' '), users),
      sequences: JSON.stringify(row?.['sequences']),
      products: new Map(this.products),
    };
  }

  async restore({ users, tables, sequences, products }: ServerBackup): Promise<void> {
    this.products.clear();
    for (const [id, price] of products) this.products.set(id, price);
    await restoreTables(this.#backend, tables, users);
    await this.#backend.query(SET_SEQUENCES, [sequences]);
  }

  /** Draws a version of the catalogue, which a trigger stamps, without changing a product. */
  async writeNothing(): Promise<void> {
    await this.#backend.query(`select nextval('public.catalogue_ver')`);
    await this.#backend.query('update public.products set "SKC" = "SKC" where false');
  }

  /** Calls a function with the site's rights. @throws Error with the message of the database */
  async #callAsSite(name: string, args: object): Promise<unknown> {
    const small = 'p_limit' in args ? { ...args, p_limit: PAGE_ROWS } : args;
    const defined = Object.entries(small).filter(([, value]) => value !== undefined);
    const statement = statementOf(this.#siteFunctions, name, Object.fromEntries(defined));
    if (statement === null) throw new Error(`there is no function ${name} with these arguments`);
    // A function without arguments would leave the parameter without a use.
    const query = `select (${statement}) as answer from (select $1::jsonb) as given`;
    const [row] = await this.#backend.query(query, [JSON.stringify(small)]);
    return row?.['answer'];
  }

  /**
   * Serves one request in one transaction.
   *
   * @param user the shopper whose token it carries; null for none
   * @param path the function, such as `rpc/push`
   */
  async call(
    user: string | null,
    path: string,
    args: object,
    options: ServeOptions,
  ): Promise<Served> {
    const statement = statementOf(this.#functions, path.slice('rpc/'.length), args);
    if (statement === null) return failed('PGRST202', 'no such function');
    return this.#serve(user, statement, args, options);
  }

  /** Another client of the shopper writes. @param changesAfter as in `ServeOptions` */
  write(user: string, write: RowWrite, changesAfter: number): Promise<Served> {
    return this.#serve(user, ROW_WRITES[write.kind], { ...write, user }, { changesAfter });
  }

  /** Begins the next minute of the limit on pushes, because the database's clock shows real time. */
  async resetPushCounts(): Promise<void> {
    await this.#backend.query('delete from public.push_counts where true');
  }

  /** Days go by at the database, and its upkeep runs: it then forgets changes of these shoppers. */
  async passDays(users: readonly string[], days: number): Promise<void> {
    await this.#backend.query('select model.pass_days($1, $2)', [users, days]);
  }

  /** A shopper's rows now, and all applied changes. */
  async rowsOf(user: string): Promise<ServerRows> {
    const [row] = await this.#backend.query('select model.rows_of($1, -1) as rows', [user]);
    return row?.['rows'] as ServerRows; // what model.rows_of builds
  }

  async #serve(
    user: string | null,
    statement: string,
    args: unknown,
    { failAtRow = 0, changesAfter = null }: ServeOptions = {},
  ): Promise<Served> {
    const role = user === null ? 'anon' : 'authenticated';
    const values = [role, user, statement, JSON.stringify(args), failAtRow || null, changesAfter];
    try {
      const [row] = await this.#backend.query(SERVE, values);
      const served = row?.['served'] as { result: unknown; rows: ServerRows | null };
      return { ok: true, ...served };
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      return failed(String(error.code), error.message);
    }
  }
}

/** The price with which a schedule begins; the first product has none. */
function firstPriceOf(id: number): number | null {
  return id === 1 ? null : id * 9.95;
}

function failed(code: string, message: string): Served {
  return { ok: false, code, message };
}
