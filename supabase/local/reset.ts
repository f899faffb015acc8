/** `npm run reset`: empties the data folder, so that the next start is the first. */
import { defaultDataFolder, emptyDataFolder } from './data-folder.ts';
import { runScript } from './script.ts';

if (import.meta.main) {
  await runScript(() => {
    const folder = defaultDataFolder();
    const wasThere = emptyDataFolder(folder);
    console.log(wasThere ? `Emptied ${folder}.` : `Nothing to empty: ${folder} does not exist.`);
  });
}
