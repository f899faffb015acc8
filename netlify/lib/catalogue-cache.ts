/** What the CDN keeps of the catalogue. Header names: docs.netlify.com, "Caching". */
import { purgeCache } from '@netlify/functions';
import { netlifyVariable } from './env.ts';

/** The tag of answers that name the newest version. */
export const CATALOGUE_TAG = 'catalogue';

/**
 * Makes the CDN ask again which version of the catalogue is the newest. Call it after the products have changed. It
 * never fails: a purge that is lost costs the age of `SHORT_AGES` (catalogue.ts).
 */
export async function purgeCatalogue(): Promise<void> {
  // Where there is no CDN, there is nothing to purge. Netlify sets this variable for each site.
  const siteID = netlifyVariable('SITE_ID');
  if (!siteID) return;
  // Only the local host sets these two. At Netlify the package finds both by itself.
  const apiURL = netlifyVariable('PURGE_API_URL');
  const token = netlifyVariable('NETLIFY_PURGE_API_TOKEN');
  try {
    await purgeCache({
      tags: [CATALOGUE_TAG],
      siteID,
      ...(apiURL && { apiURL }),
      ...(token && { token }),
    });
  } catch (thrown) {
    console.error(`The CDN was not told of the change: ${String(thrown)}`);
  }
}
