/**
 * What the simulator adds to its database: one function that serves a request as PostgREST does,
 * and tells in the same transaction what the shopper's rows are afterwards; and a trigger that
 * makes a statement fail half-way, as a deadlock or a full disk would.
 *
 * One round trip to the embedded database for each request: through REST and HTTP a schedule would
 * take three times as long. PostgREST's own part is small and is tested elsewhere.
 */
export const SCHEMA = `
  create schema model;
  create sequence model.rows;

  create function model.seen(p_user uuid, p_after bigint) returns jsonb
  language plpgsql as $$
  begin
    return jsonb_build_object(
      'ver', coalesce((select ver from public.sync_user where user_id = p_user), 0),
      'cart', coalesce((
        select jsonb_agg(jsonb_build_array(product_id, quantity, price_when_added) order by id)
        from public.cart_items where user_id = p_user), '[]'),
      'favourites', coalesce((
        select jsonb_agg(product_id order by product_id)
        from public.favorites where user_id = p_user), '[]'),
      'applied', coalesce((
        select jsonb_agg(jsonb_build_object('id', change_id, 'device', device_id, 'ver', ver,
          'kind', kind, 'args', args, 'outcome', outcome) order by ver)
        from public.applied_changes where user_id = p_user and ver > p_after), '[]'));
  end $$;

  create function model.serve(
    p_role text, p_user uuid, p_statement text, p_args jsonb, p_stumble int, p_after bigint)
  returns jsonb language plpgsql as $$
  declare
    result jsonb;
  begin
    perform set_config('model.stumble', coalesce(p_stumble::text, ''), true);
    if p_stumble is not null then perform setval('model.rows', 1, false); end if;
    perform set_config('request.jwt.claim.sub', p_user::text, true),
      set_config('request.jwt.claims', json_build_object('sub', p_user, 'role', p_role)::text, true),
      set_config('role', p_role, true);
    execute p_statement into result using p_args;
    perform set_config('role', 'none', true);
    return jsonb_build_object('result', result, 'seen',
      case when p_after is not null then model.seen(p_user, p_after) end);
  end $$;

  create function model.stumble() returns trigger
  language plpgsql security definer as $$
  begin
    -- A sequence counts on although what it counted is undone: the failure comes once.
    if nextval('model.rows') = current_setting('model.stumble')::bigint then
      raise exception 'stumbled' using errcode = '40P01';
    end if;
    return coalesce(new, old);
  end $$;
  create trigger stumble before insert or update or delete on public.cart_items
    for each row when (current_setting('model.stumble', true) <> '')
    execute function model.stumble();
  create trigger stumble before insert or delete on public.favorites
    for each row when (current_setting('model.stumble', true) <> '')
    execute function model.stumble();
  create trigger stumble before insert on public.applied_changes
    for each row when (current_setting('model.stumble', true) <> '')
    execute function model.stumble();`;

export const SERVE = `select model.serve($1, $2, $3, $4::text::jsonb, $5, $6) as served`;

/** Functions by path, with their arguments by name, read from JSON as PostgREST reads them. */
const CALLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  push: {
    p_user: `($1->>'p_user')::uuid`,
    p_device: `($1->>'p_device')::uuid`,
    p_changes: `$1->'p_changes'`,
  },
  pull: {
    p_user: `($1->>'p_user')::uuid`,
    p_device: `($1->>'p_device')::uuid`,
    p_since: `($1->>'p_since')::bigint`,
    p_pending: `array(select jsonb_array_elements_text($1->'p_pending'))::uuid[]`,
    p_stamp: `($1->>'p_stamp')::uuid`,
  },
  catalogue_changes: {
    p_since: `($1->>'p_since')::bigint`,
    p_limit: `($1->>'p_limit')::int`,
    p_stamp: `($1->>'p_stamp')::uuid`,
  },
  catalogue_page: {
    p_skc: `$1->>'p_skc'`,
    p_id: `($1->>'p_id')::bigint`,
    p_limit: `($1->>'p_limit')::int`,
  },
};

/** The statement that a request comes to; null when there is no function with such arguments. */
export function statementOf(path: string, args: object): string | null {
  const known = CALLS[path.slice('rpc/'.length)];
  const given = Object.keys(args).map((name) => [name, known?.[name]] as const);
  if (!known || given.some(([, value]) => value === undefined)) return null;
  const list = given.map(([name, value]) => `${name} => ${value}`).join(', ');
  return `select public.${path.slice('rpc/'.length)}(${list})::jsonb`;
}

/** A write to single rows by another client of the same shopper. */
export type RowWrite =
  | { readonly kind: 'insert' | 'update'; readonly productId: number; readonly quantity: number }
  | { readonly kind: 'delete' | 'like' | 'unlike'; readonly productId: number }
  | { readonly kind: 'delete all' };

const counting = (statement: string) =>
  `with written as (${statement} returning 1) select to_jsonb(count(*)) from written`;
const OWN = `user_id = ($1->>'user')::uuid`;
const ONE = `${OWN} and product_id = ($1->>'productId')::bigint`;
const VALUES = `($1->>'user')::uuid, ($1->>'productId')::bigint`;

export const ROW_WRITES: Readonly<Record<RowWrite['kind'], string>> = {
  insert: counting(`insert into public.cart_items (user_id, product_id, quantity)
    values (${VALUES}, ($1->>'quantity')::int)`),
  update: counting(`update public.cart_items set quantity = ($1->>'quantity')::int where ${ONE}`),
  delete: counting(`delete from public.cart_items where ${ONE}`),
  'delete all': counting(`delete from public.cart_items where ${OWN}`),
  like: counting(`insert into public.favorites (user_id, product_id) values (${VALUES})`),
  unlike: counting(`delete from public.favorites where ${ONE}`),
};
