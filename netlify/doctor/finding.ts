/** What a check found about a deployment, and how it is printed. */
import { SHORTEST_SECRET } from '../build/public-secrets.ts';
import { replaceControls } from '../lib/escape.ts';
import type { Deployment } from './deployment.ts';

export interface Finding {
  /** What was checked, in a few words. */
  readonly subject: string;
  readonly state: 'ok' | 'fault' | 'not checked';
  /** What is wrong and what to do, or what the check would need; for `ok` what was seen. */
  readonly words: string;
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

const SIGNS = { ok: 'ok          ', fault: 'FAULT       ', 'not checked': 'not checked ' } as const;
const SECRET_NAME = /^(SUPABASE|STRIPE|PAYPAL|OPERATOR)_|^SMTP_PASSWORD$/;

/** The line of a finding, without the shop's secrets and control characters: some words come from servers. */
export function lineOf(
  { subject, state, words }: Finding,
  environment: Deployment['environment'],
): string {
  const secrets = Object.entries(environment)
    .filter(([name]) => SECRET_NAME.test(name) && name !== 'PAYPAL_ENVIRONMENT')
    .map(([, value = '']) => value.trim())
    .filter((value) => value.length >= SHORTEST_SECRET)
    // A secret may begin with another one, which would leave its end if it were replaced first.
    .toSorted((a, b) => b.length - a.length);
  const whole = `${SIGNS[state]}${subject}: ${words}`;
  // Before the line breaks are replaced: a secret that was pasted over two lines holds one.
  const shown = secrets.reduce((text, secret) => text.replaceAll(secret, '(hidden)'), whole);
  return replaceControls(shown.replaceAll(/\s*\n\s*/g, ' '));
}
