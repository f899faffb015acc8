/**
 * The shop as `npm start` serves it, with the sample catalogue. It runs in its own process, because
 * Lighthouse's work during a visit would delay the host's answers.
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
