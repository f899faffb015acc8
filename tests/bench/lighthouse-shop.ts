/**
 * The shop as `npm start` serves it, with the sample catalogue, in a process of its own: what
 * Lighthouse does with a page while it loads must not keep the page's host waiting.
 */
import { addDemoAccounts } from '../../supabase/local/accounts.ts';
import { loadSampleCatalogue } from '../../supabase/local/sample.ts';
import { openTestShop } from '../supabase/shop.ts';

const [siteFolder = ''] = process.argv.slice(2);
process.once('disconnect', () => process.exit());

const shop = await openTestShop({ siteFolder, payments: true });
await addDemoAccounts(shop.backend);
await loadSampleCatalogue(shop.backend);
process.send?.(shop.url);
