/**
 * What the simulator adds to its database: a function that serves a request as PostgREST does and in the
 * same transaction reads the shopper's rows afterwards; and a trigger that makes a statement fail half-way,
 * as a deadlock or a full disk would.
 *
 * A request is one round trip to the embedded database. Through REST and HTTP a schedule would take three
 * times as long; other tests use PostgREST's part.
 */
export const SCHEMA = `
  create schema model;
  create sequence model.written_rows;

  create function model.rows_of(p_user uuid, p_after bigint) returns jsonb
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
        select jsonb_agg(jsonb_build_object('id', change_id, 'ver', ver,
          'kind', kind, 'args', args, 'outcome', outcome, 'code', code) order by ver)
        from public.applied_changes where user_id = p_user and ver > p_after), '[]'));
  end $$;

  create function model.serve(
    p_role text, p_user uuid, p_statement text, p_args jsonb, p_fail_at_row int, p_after bigint)
  returns jsonb language plpgsql as $$
  declare
    result jsonb;
  begin
    perform set_config('model.fail_at_row', coalesce(p_fail_at_row::text, ''), true);
    if p_fail_at_row is not null then perform setval('model.written_rows', 1, false); end if;
    perform set_config('request.jwt.claim.sub', p_user::text, true),
      set_config('request.jwt.claims', json_build_object('sub', p_user, 'role', p_role)::text, true),
      set_config('role', p_role, true);
    execute p_statement into result using p_args;
    perform set_config('role', 'none', true);
    return jsonb_build_object('result', result, 'rows',
      case when p_after is not null then model.rows_of(p_user, p_after) end);
  end $$;

  create function model.pass_days(p_users uuid[], p_days int) returns void
  language plpgsql as $$
  begin
    update public.applied_changes set applied_at = applied_at - make_interval(days => p_days)
    where user_id = any (p_users);
    update public.devices set due_at = due_at - make_interval(days => p_days) where user_id = any (p_users);
    perform public.prune_applied_changes(now());
  end $$;

  create function model.fail_at_row() returns trigger
  language plpgsql security definer as $$
  begin
    -- A rollback does not undo nextval, so the statement fails once and not again when it is repeated.
    if nextval('model.written_rows') = current_setting('model.fail_at_row')::bigint then
      raise exception 'simulated deadlock' using errcode = '40P01';
    end if;
    return coalesce(new, old);
  end $$;
  create trigger fail_at_row before insert or update or delete on public.cart_items
    for each row when (current_setting('model.fail_at_row', true) <> '')
    execute function model.fail_at_row();
  create trigger fail_at_row before insert or delete on public.favorites
    for each row when (current_setting('model.fail_at_row', true) <> '')
    execute function model.fail_at_row();
  create trigger fail_at_row before insert on public.applied_changes
    for each row when (current_setting('model.fail_at_row', true) <> '')
    execute function model.fail_at_row();`;

/** `$1` role, `$2` user, `$3` statement, `$4` its arguments, `$5` row at which to fail, `$6` version. */
export const SERVE = `select model.serve($1, $2, $3, $4::text::jsonb, $5, $6) as served`;

/** A write of cart lines or favourites by another client of the same shopper. */
export type RowWrite =
  | { readonly kind: 'insert' | 'update'; readonly productId: number; readonly quantity: number }
  | { readonly kind: 'delete' | 'like' | 'unlike'; readonly productId: number }
  | { readonly kind: 'delete all' };

/** Makes a statement that runs `statement` and returns how many rows that has written. */
const countingRows = (statement: string) =>
  `with written as (${statement} returning 1) select to_jsonb(count(*)) from written`;
const OWN_ROWS = `user_id = ($1->>'user')::uuid`;
const ONE_ROW = `${OWN_ROWS} and product_id = ($1->>'productId')::bigint`;
const USER_AND_PRODUCT = `($1->>'user')::uuid, ($1->>'productId')::bigint`;

/** By kind of write; `$1` is the write as JSON, with the user's id. */
export const ROW_WRITES: Readonly<Record<RowWrite['kind'], string>> = {
  insert: countingRows(`insert into public.cart_items (user_id, product_id, quantity)
    values (${USER_AND_PRODUCT}, ($1->>'quantity')::int)`),
  update: countingRows(
    `update public.cart_items set quantity = ($1->>'quantity')::int where ${ONE_ROW}`,
  ),
  delete: countingRows(`delete from public.cart_items where ${ONE_ROW}`),
  'delete all': countingRows(`delete from public.cart_items where ${OWN_ROWS}`),
  like: countingRows(
    `insert into public.favorites (user_id, product_id) values (${USER_AND_PRODUCT})`,
  ),
  unlike: countingRows(`delete from public.favorites where ${ONE_ROW}`),
};
