/** All checks of one deployment, in the order in which a person would look. */
import { checkDatabase } from './database.ts';
import type { Deployment } from './deployment.ts';
import type { Finding } from './finding.ts';
import { checkProviders } from './providers.ts';
import { checkRealtime } from './realtime.ts';
import { checkSettings } from './settings.ts';
import { checkSite } from './site.ts';

/** Nothing of the deployment changes, but for the account of `checkRealtime`. Gives each finding as soon as it is known. */
export async function* examine(deployment: Deployment): AsyncGenerator<Finding> {
  const checks = [checkSettings, checkDatabase, checkRealtime, checkProviders, checkSite];
  for (const check of checks) {
    yield* await check(deployment);
  }
}
