import { connection } from '../db/connection.ts';
import { failureBudget } from '../db/failure-budget.ts';
import { sessionStore } from '../db/identity.ts';
import { createAuth } from '../remote/auth.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from '../remote/config.ts';

/** The one auth of this page, over whichever database is open. */
export const auth = createAuth({
  url: BACKEND_URL,
  key: PUBLISHABLE_KEY,
  siteUrl: globalThis.location.origin,
  store: sessionStore(() => connection.db),
  budget: failureBudget(() => connection.db, Date.now),
});
