import type { Deployment } from './finding.ts';

const TIMEOUT_MS = 15_000;

/** Sends a request; null where no answer comes in time. */
export async function request(
  { fetch }: Pick<Deployment, 'fetch'>,
  url: string,
  options: RequestInit = {},
): Promise<Response | null> {
  try {
    return await fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    return null;
  }
}

/** The answer's JSON; null where there is no answer, or one that is not JSON. */
export async function jsonIn(response: Response | null): Promise<unknown> {
  return response === null ? null : response.json().catch(() => null);
}
