-- Says what a refused write has cost by then.

comment on function public.count_row_writes() is
  'Counts the rows that a statement of a shopper wrote as changes, and refuses the statement with SQLSTATE PT429 beyond 600 a minute and 20,000 a day. It runs after the statement, because only then is it known which rows were written: a refused statement of many rows has done its work, and what it leaves behind stays until a vacuum. A deletion is not counted: each row that it takes away was counted when it was written. Runs under the shopper''s lock, which lock_caller takes, so that one account runs one such statement at a time. Security definer because no role may write push_counts by hand.';
