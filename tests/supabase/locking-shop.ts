/** A process that opens a data folder, says so, and runs until it is killed. data-folder.test.ts starts it. */
import { openDataFolder } from '../../supabase/local/data-folder.ts';

openDataFolder(process.argv[2] ?? '');
console.log('open');
setInterval(() => undefined, 60_000);
