/** The deployment under examination, and how the checks ask it. */
import { fieldsOf } from '../../src/domain/fields.ts';
import { NotConfigured, type ReadVariable } from '../lib/env.ts';

export interface Deployment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
}

export function readerOf({ environment }: Pick<Deployment, 'environment'>): ReadVariable {
  return (name) => environment[name];
}

/** What `read` returns, or null where its variables are not set or not usable. */
export function settingsOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof NotConfigured) return null;
    throw thrown;
  }
}

const TIMEOUT_MS = 15_000;

export interface Reply {
  /** 0 where no answer came in time. */
  readonly status: number;
  readonly headers: Headers;
  /** Of the answer, where it is a JSON object; none for any other. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Sends a request. Returns a redirect instead of following it, which would send the key to another host. */
export async function ask(
  { fetch }: Deployment,
  url: string,
  options: RequestInit = {},
): Promise<Reply> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(url, { ...options, redirect: 'manual', signal });
    const { status, headers } = answer;
    const json: unknown = await answer.json().catch(() => null);
    return { status, headers, fields: fieldsOf(json) };
  } catch {
    return { status: 0, headers: new Headers(), fields: {} };
  }
}
