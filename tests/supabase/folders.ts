/** Data folders that contain one product and one account; each test copies the template. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { openBackend } from '../../supabase/local/backend.ts';
import { columnOf } from './column.ts';
import { freshDatabase, temporaryFolder } from './shop.ts';

/** Makes a data folder with the stock code KEPT and the account ada@weft.test. */
export async function makeFolderTemplate() {
  const template = await temporaryFolder();
  const lines: string[] = [];
  const backend = await openBackend({
    dataFolder: join(template.path, 'data'),
    log: (line) => lines.push(line),
    image: await freshDatabase(),
  });
  // A trigger replaces the 0 by the next version.
  await backend.query(`insert into public.products ("SKC", ver) values ('KEPT', 0)`);
  await backend.addAccount({ email: 'ada@weft.test', password: 'secret-1' });
  await backend.close();
  return {
    /** The lines that the first start printed. */
    lines,
    path: join(template.path, 'data'),
    /** Copies the template. `await using` removes the copy at the end of the block. */
    async copy() {
      const folder = await temporaryFolder();
      await cp(template.path, folder.path, { recursive: true });
      return { ...folder, data: join(folder.path, 'data') };
    },
    remove: () => template[Symbol.asyncDispose](),
  };
}

/** Opens a data folder. @param project the repository whose migrations are applied; by default this one */
export function openFolder(dataFolder: string, project?: string) {
  return openBackend({ dataFolder, log: () => undefined, ...(project ? { project } : {}) });
}

/** Opens a data folder, reads the stock codes in it, and closes it. */
export async function storedCodes(dataFolder: string): Promise<string[]> {
  const backend = await openFolder(dataFolder);
  const codes = await columnOf(backend, 'select "SKC" from public.products order by id');
  await backend.close();
  return codes.map(String);
}
