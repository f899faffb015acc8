import { openAsBlob } from 'node:fs';
import { catalogueRemote } from '../../src/remote/catalogue.ts';
import { uploader } from '../../src/remote/upload.ts';
import { openLine } from '../browser/proxy.ts';
import { GZIP_ONLY } from '../browser/request-faults.ts';
import { newDevice, newPage } from '../import/device.ts';
import { DETECT_ALL } from '../import/product-files.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { openTestShop } from '../supabase/shop.ts';
import { type Figure, figure } from './report.ts';

/**
 * Imports the same file twice. Then a phone that has the products of the first import asks for changes.
 *
 * @param path of a CSV file
 * @param rows how many rows it has, each for another product
 */
export async function measureRepeatedImport(path: string, rows: number): Promise<Figure[]> {
  await using shop = await openTestShop();
  const { token } = await addShopper(shop, 'importer');
  const file = new File([await openAsBlob(path)], 'products.csv');
  await using line = await openLine(shop.url);
  const counter = line.addFaults(GZIP_ONLY);
  const remote = catalogueRemote({ url: line.url });
  const { signal } = new AbortController();
  const newestVersion = async () => {
    const answer = await remote.head(signal);
    if (!answer.ok) throw new Error(`no version: ${JSON.stringify(answer.failure)}`);
    return answer.value;
  };

  async function importFile() {
    const upload = uploader(shop.url, (...request) => fetch(...request));
    const tab = newDevice().openTab({ upload, limits: undefined }); // the shop's own limits of a part
    const checked = await tab.check(file, DETECT_ALL, () => undefined);
    if (checked.kind !== 'checked') throw new Error(JSON.stringify(checked));
    const startMs = performance.now();
    const sent = await tab.send(newPage({ token: async () => ({ ok: true, value: token }) }));
    if (sent.kind !== 'done') throw new Error(JSON.stringify(sent));
    return { ms: performance.now() - startMs, ...sent.totals };
  }

  const first = await importFile();
  if (first.inserted !== rows) throw new Error(`${first.inserted} of ${rows} were inserted`);
  const version = await newestVersion(); // what the phone has
  const second = await importFile();
  if (second.unchanged !== rows) throw new Error(`${second.unchanged} of ${rows} were unchanged`);
  counter.trafficSinceLastCall();
  const after = await newestVersion();
  const { bodyBytes } = counter.trafficSinceLastCall();
  console.log(`${rows} rows into the embedded shop, twice`);
  return [
    figure('first import', first.ms, 'ms'),
    figure('the same again', second.ms, 'ms'),
    figure('the same again: rows written', second.inserted + second.updated, 'rows', 0),
    figure('a phone is told “nothing new” in', bodyBytes, 'bytes'),
    figure('the catalogue is newer by', after.ver - version.ver, 'versions', 0),
  ];
}
