/** Reads from a shop's data folder what must be the same after a clean and an interrupted import. */
import { openFolder } from '../supabase/folders.ts';

/** What an import leaves in the database. */
export interface StoredImport {
  /** Rows of the table in the order of stock code and size, as JSON. */
  readonly products: readonly string[];
  /** The imports by users, each with its parts and the length of its undo log, as JSON. */
  readonly imports: readonly string[];
}

/** Reads a folder whose shop is closed or killed: only one process can open it. */
export async function readStoredImport(dataFolder: string): Promise<StoredImport> {
  const backend = await openFolder(dataFolder);
  const products = await backend.query(
    `select to_jsonb(p) - 'id' - 'ver' as row from public.products p order by "SKC", "Size"`,
  );
  const imports = await backend.query(`
    select jsonb_build_object(
      'state', state, 'file_name', file_name, 'is_finished', finished_at is not null,
      'total_parts', total_parts, 'inserted', inserted, 'updated', updated, 'unchanged', unchanged,
      'rejected', rejected, 'undo_log', undo_log, 'undo_left', undo_left,
      'parts', (select jsonb_agg(to_jsonb(p) - 'import_id' - 'written_at' order by part)
        from public.import_parts p where p.import_id = i.id),
      'logged', (select count(*) from public.import_changes c where c.import_id = i.id)) as row
    from public.imports i where user_id is not null order by started_at`);
  await backend.close();
  const lines = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ row }) => JSON.stringify(row));
  return { products: lines(products), imports: lines(imports) };
}
