-- Who may do what. Row-level security, beside each table, narrows what a shopper reads and writes down to the
-- shopper's own rows.
--
-- Hosted Supabase grants everything on new tables, sequences and functions in `public` to anon, authenticated
-- and service_role. Here they start from nothing, and all that they may do stands below.
--
-- No role may write versions, tombstones, stamps, orders, payments or messages by hand. The functions that do are
-- `security definer`: they run with the rights of the database's owner. Those for shoppers check whose token it is.

revoke all on all tables in schema public from public, anon, authenticated, service_role;
revoke all on all sequences in schema public from public, anon, authenticated, service_role;
revoke all on all functions in schema public from public, anon, authenticated, service_role;

-- Everybody: the catalogue ------------------------------------------------------------------------

grant select on public.products, public.product_deletions, public.catalogue_meta, public.catalogue_stamps
  to anon, authenticated, service_role;

-- Signed-in shoppers: their own rows --------------------------------------------------------------

grant select, insert, update, delete on public.cart_items, public.favorites to authenticated, service_role;
grant select on public.sync_user, public.applied_changes, public.orders, public.order_items
  to authenticated, service_role;
-- `products` joins a cart's line to its product; pull runs with the caller's rights and calls
-- require_shopper.
grant execute on function public.push, public.pull, public.release, public.require_shopper to authenticated;
grant execute on function public.products(public.cart_items) to authenticated, service_role;

-- The server --------------------------------------------------------------------------------------

grant insert, update, delete on public.products to service_role;
grant select on public.category_names to service_role;
grant execute on function
  public.newest_version, public.catalogue_stamp, public.catalogue_head, public.catalogue_page,
  public.catalogue_changes, public.take_catalogue_lock, public.categories, public.stock_code_count,
  public.stock_codes, public.lock_shopper
  to service_role;

-- Imports run with the server's rights, so that the policies of the catalogue hold for them.
grant select, insert, update on public.imports to service_role;
grant select, insert on public.import_parts to service_role;
grant select, insert, update, delete on public.import_changes, public.import_keys to service_role;
grant execute on function
  public.import_products, public.put_off_sale, public.end_range, public.import_part, public.unfinished_import,
  public.forget_other_logs, public.undo_import, public.recent_imports, public.change_products,
  public.products_of, public.products_off_sale
  to service_role;

grant select on
  public.order_states, public.order_events, public.payment_attempts, public.payment_events,
  public.payment_reversals
  to service_role;
grant execute on function
  public.place_order, public.cancel_order, public.expire_orders, public.close_review,
  public.start_attempt, public.record_reference, public.fail_attempt,
  public.may_capture, public.release_capture,
  public.apply_payment, public.apply_reversal,
  public.order_for, public.attempts_to_ask
  to service_role;

grant execute on function
  public.order_as_json, public.staff_orders, public.find_orders, public.staff_order,
  public.mark_orders, public.use_mail
  to service_role;

grant execute on function
  public.erase_account, public.erase_due, public.account_as_json, public.account_from_auth
  to service_role;

grant select on public.messages to service_role;
grant execute on function
  public.queue_message, public.take_message, public.message_sent, public.prune_messages,
  public.prune_product_deletions, public.prune_category_names, public.prune_applied_changes,
  public.prune_unpaid_orders, public.prune_import_keys
  to service_role;
