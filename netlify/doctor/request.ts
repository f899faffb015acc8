import type { Deployment } from './finding.ts';

const TIMEOUT_MS = 15_000;

/**
 * Sends a request; null where no answer comes, or none in time. Returns a redirect instead of following it,
 * because following would send the key to another host.
 */
export async function requestOrNull(
  { fetch }: Pick<Deployment, 'fetch'>,
  url: string,
  options: RequestInit = {},
): Promise<Response | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await fetch(url, { ...options, redirect: 'manual', signal });
  } catch {
    return null;
  }
}

/** The answer's JSON; null where there is no answer, or one that is not JSON. */
export async function jsonIn(response: Response | null): Promise<unknown> {
  return response === null ? null : response.json().catch(() => null);
}
