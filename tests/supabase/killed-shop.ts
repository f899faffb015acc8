/** Run by data-folder.test.ts in a process of its own, which it kills while this writes. */
import { openBackend } from '../../supabase/local/backend.ts';

const backend = await openBackend({ dataFolder: process.argv[2] ?? '', log: console.log });
console.log('open');
for (let i = 0; ; i += 1) {
  await backend.query('select public.import_products($1::jsonb)', [
    JSON.stringify([{ SKC: `P${i}`, 'Retail Price': i }]),
  ]);
  console.log(`kept P${i}`);
}
