import type { Config } from '@netlify/functions';
import { answerCatalogue } from '../lib/catalogue.ts';
import { callDatabase } from '../lib/database.ts';
import { backendSettings } from '../lib/env.ts';
import { serve } from '../lib/http.ts';

/** Answers every `GET /catalogue/…` (lib/catalogue.ts): site-rules.ts rewrites these paths to this function. */
export default serve('GET', (request) => {
  const settings = backendSettings();
  return answerCatalogue(new URL(request.url), (name, args) => callDatabase(settings, name, args));
});

// A first visit to a shop of a million products takes about a hundred requests.
export const config: Config = {
  path: '/.netlify/functions/catalogue',
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
