/** Deployments for the tests of the doctor, and what it finds. */
import type { Deployment, Finding } from '../../netlify/doctor/finding.ts';

/** A deployment with these variables; without `changes` it has no build. */
export const deploymentOf = (
  environment: Deployment['environment'],
  changes: Partial<Deployment> = {},
): Deployment => ({
  environment,
  fetch: globalThis.fetch,
  now: () => new Date(),
  siteFolder: 'none',
  ...changes,
});

export const findingAbout = (subject: string, findings: readonly Finding[]) =>
  findings.find((finding) => finding.subject === subject);
