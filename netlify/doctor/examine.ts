/** All checks of one deployment, in the order in which a person would look. */
import { checkDatabase } from './database.ts';
import type { Deployment } from './deployment.ts';
import type { Finding } from './finding.ts';
import { checkProviders } from './providers.ts';
import { checkSettings } from './settings.ts';
import { checkSite } from './site.ts';

/** Asks only: nothing of the deployment changes. Gives each finding as soon as it is known. */
export async function* examine(deployment: Deployment): AsyncGenerator<Finding> {
  for (const check of [checkSettings, checkDatabase, checkProviders, checkSite]) {
    yield* await check(deployment);
  }
}
