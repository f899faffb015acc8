/** All checks of one deployment, in the order in which a person would look. */
import { checkBackend } from './backend.ts';
import { checkDatabase } from './database.ts';
import type { Check, Deployment, Finding } from './finding.ts';
import { checkHosting } from './hosting.ts';
import { checkPictures } from './pictures.ts';
import { checkProject } from './project.ts';
import { checkProviders } from './providers.ts';
import { checkRealtime } from './realtime.ts';
import { checkSettings } from './settings.ts';

const CHECKS: readonly Check[] = [
  checkSettings,
  checkBackend,
  checkRealtime,
  checkProject,
  checkDatabase,
  checkProviders,
  checkHosting,
  checkPictures,
];

/** Asks only: nothing of the deployment changes. */
export async function examine(deployment: Deployment): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of CHECKS) findings.push(...(await check(deployment)));
  return findings;
}
