/**
 * `npm run reset`              empties the data folder, so that the next start is the first
 * `npm run reset -- --empty`   and that start opens a shop without the sample catalogue
 */
import { defaultDataFolder, emptyDataFolder, leaveOutSamples } from './data-folder.ts';
import { PlainFailure } from './failures.ts';
import { runScript } from './script.ts';

if (import.meta.main) {
  await runScript(() => {
    const [option] = process.argv.slice(2);
    if (option !== undefined && option !== '--empty') {
      throw new PlainFailure(`npm run reset takes --empty and nothing else, not "${option}".`);
    }
    const folder = defaultDataFolder();
    const wasThere = emptyDataFolder(folder);
    console.log(wasThere ? `Emptied ${folder}.` : `Nothing to empty: ${folder} does not exist.`);
    if (option === undefined) return;
    leaveOutSamples(folder);
    console.log('The next start opens a shop without products.');
  });
}
