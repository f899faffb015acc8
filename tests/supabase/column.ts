/** Reads one column from the database. */
import type { Backend } from '../../supabase/local/backend.ts';

/** The values of the only column that this statement returns, row by row. */
export async function columnOf(
  { query }: Pick<Backend, 'query'>,
  sql: string,
  args: readonly unknown[] = [],
): Promise<unknown[]> {
  return (await query(sql, args)).map((row) => Object.values(row)[0]);
}
