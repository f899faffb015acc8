/** A shop that writes products and prints each stored code. durability.long.test.ts runs and kills it. */
import { openBackend } from '../../supabase/local/backend.ts';

const backend = await openBackend({ dataFolder: process.argv[2] ?? '', log: console.log });
console.log('open');
for (let i = 0; ; i += 1) {
  await backend.query('select public.import_products($1::jsonb)', [
    JSON.stringify([{ SKC: `P${i}`, 'Retail Price': i }]),
  ]);
  console.log(`kept P${i}`);
}
