/** Whether the host resizes the products' pictures. A picture that it does not resize costs phones more data. */
import { fieldsOf } from '../../src/domain/fields.ts';
import { remoteImages } from '../lib/remote-images.ts';
import { type Check, fault, notChecked, ok } from './finding.ts';
import { jsonIn, requestOrNull } from './request.ts';
import { publicBackend, readerOf, settingsOrNull } from './settings.ts';

const SAMPLE_ROWS = 200;

export const checkPictures: Check = async (deployment) => {
  const backend = settingsOrNull(() => publicBackend(readerOf(deployment)));
  if (backend === null) return [];
  const subject = 'Pictures';
  const query = `select=${encodeURIComponent('"Images link"')}&limit=${SAMPLE_ROWS}`;
  const response = await requestOrNull(deployment, `${backend.url}/rest/v1/products?${query}`, {
    headers: { apikey: backend.publishableKey },
  });
  const rows = response?.ok ? await jsonIn(response) : null;
  if (!Array.isArray(rows)) return [notChecked(subject, 'products cannot be read')];
  const patterns = remoteImages(backend.url).map((pattern) => new RegExp(pattern));
  const foreign = new Set<string>();
  for (const row of rows as unknown[]) {
    const link = fieldsOf(row)['Images link'];
    // Null also for a path of this site, whose pictures the host always resizes.
    const url = typeof link === 'string' ? URL.parse(link) : null;
    if (url && !patterns.some((pattern) => pattern.test(url.href))) foreign.add(url.host);
  }
  if (foreign.size === 0) return [ok(subject, 'come from addresses that the host resizes')];
  const hosts = [...foreign].join(', ');
  return [
    fault(subject, `Those of ${hosts} come in full size: keep pictures in the project’s storage.`),
  ];
};
