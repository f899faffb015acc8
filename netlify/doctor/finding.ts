/** What a check found about a deployment, and how it is printed. */
import { SHORTEST_SECRET } from '../build/public-secrets.ts';
import { replaceControls } from '../lib/escape.ts';

export interface Finding {
  /** What was checked, in a few words. */
  readonly subject: string;
  readonly state: 'ok' | 'fault' | 'not checked';
  /** What is wrong and what to do, or why it was not checked; for `ok` what was seen. */
  readonly words: string;
}

/** The deployment under examination. */
export interface Deployment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
  /** Where the build of this tree lies, if there is one. */
  readonly siteFolder: string;
}

export type Check = (deployment: Deployment) => Promise<readonly Finding[]> | readonly Finding[];

export function ok(subject: string, words: string): Finding {
  return { subject, state: 'ok', words };
}

export function fault(subject: string, words: string): Finding {
  return { subject, state: 'fault', words };
}

export function notChecked(subject: string, words: string): Finding {
  return { subject, state: 'not checked', words };
}

/** What applies the migrations to a hosted project. */
export const PUSH_COMMAND = '`npx supabase db push --remote`';

const SIGNS = { ok: 'ok          ', fault: 'FAULT       ', 'not checked': 'not checked ' } as const;
const SECRET_NAME = /^(SUPABASE|STRIPE|PAYPAL|OPERATOR)_/;
/** Names that `SECRET_NAME` matches, but whose values are no secret. */
const PUBLIC_NAMES = new Set(['PAYPAL_ENVIRONMENT', 'SUPABASE_DB_CA']);

/** The line of a finding, without the shop's secrets and control characters: some words come from servers. */
export function lineOf(
  { subject, state, words }: Finding,
  environment: Deployment['environment'],
): string {
  const secrets = Object.entries(environment)
    .filter(([name]) => SECRET_NAME.test(name) && !PUBLIC_NAMES.has(name))
    .map(([, value = '']) => value.trim())
    .filter((value) => value.length >= SHORTEST_SECRET)
    // A secret may begin with another one, which would leave its end if it were replaced first.
    .toSorted((a, b) => b.length - a.length);
  const whole = `${SIGNS[state]}${subject}: ${words}`;
  // Before the line breaks are replaced: a secret that was pasted over two lines holds one.
  const shown = secrets.reduce((text, secret) => text.replaceAll(secret, '(hidden)'), whole);
  return replaceControls(shown.replaceAll(/\s*\n\s*/g, ' '));
}
