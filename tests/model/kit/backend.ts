/** The shop's own SQL in an embedded Postgres, and statements that call its functions as PostgREST does. */
import type { Backend } from '../../../supabase/local/backend.ts';
import { openTestBackend } from '../../supabase/shop.ts';

/**
 * Opens an embedded backend for a model.
 *
 * @param project folder that holds `supabase/migrations`; the project itself when absent
 * @param schema script that creates the schema `model`
 */
export async function openModelBackend(
  project: string | undefined,
  schema: string,
): Promise<Backend> {
  const backend = await openTestBackend(project === undefined ? {} : { project });
  await runScript(backend, schema);
  return backend;
}

/** Runs a script of `create` statements, one after the other. */
export async function runScript({ query }: Backend, script: string): Promise<void> {
  for (const statement of script.split(/;\s*\n(?=\s*create\b)/)) await query(statement);
}

/** The signature of a SQL function. */
interface SqlFunction {
  /** The SQL types of the arguments, by name. */
  readonly args: Readonly<Record<string, string>>;
  readonly isVoid: boolean;
}

/**
 * Selects the functions that the role `$1` may call, with the names and types of their arguments: `p_…`. Other
 * names in `proargnames` are columns of what a function returns.
 */
const CALLABLE_FUNCTIONS = `
  select p.proname as name, jsonb_build_object('isVoid', p.prorettype = 'void'::regtype, 'args',
    coalesce(jsonb_object_agg(a.name, a.type::regtype::text) filter (where a.name is not null), '{}')
  ) as function
  from pg_proc p
  left join lateral unnest(p.proargnames, p.proargtypes::oid[]) as a (name, type) on true
  where p.pronamespace = 'public'::regnamespace and coalesce(a.name like 'p\\_%', true)
    and has_function_privilege($1::name, p.oid, 'execute')
  group by p.oid, p.proname, p.prorettype`;

/** The functions that a role may call, by name. */
export type SqlFunctions = ReadonlyMap<string, SqlFunction>;

export async function readFunctions({ query }: Backend, role: string): Promise<SqlFunctions> {
  const rows = await query(CALLABLE_FUNCTIONS, [role]);
  // The query builds each `function` as a `SqlFunction`.
  return new Map(rows.map((row) => [String(row['name']), row['function'] as SqlFunction]));
}

/**
 * The statement that calls a function and reads its arguments from the JSON `$1`; null when `functions` has
 * no function of this name with these arguments.
 */
export function statementOf(functions: SqlFunctions, name: string, args: object): string | null {
  const signature = functions.get(name);
  const typedArgs = Object.keys(args).map((arg) => [arg, signature?.args[arg]] as const);
  if (!signature || typedArgs.some(([, type]) => type === undefined)) return null;
  const list = typedArgs.map(([arg, type = '']) => `${arg} => ${valueOf(arg, type)}`).join(', ');
  const call = `public.${name}(${list})`;
  return signature.isVoid ? `select null::jsonb from ${call}` : `select to_jsonb(${call})`;
}

function valueOf(arg: string, type: string): string {
  if (type === 'jsonb') return `$1 -> '${arg}'`;
  if (!type.endsWith('[]')) return `($1 ->> '${arg}')::${type}`;
  return `array(select jsonb_array_elements_text($1 -> '${arg}'))::${type}`;
}
