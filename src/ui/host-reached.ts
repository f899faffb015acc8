import { FALLBACK } from './picture-sources.ts';

/** How long an answer is reused, so that pictures that fail together send one request. */
const VALID_MS = 1000;

let answer: Promise<boolean> | null = null;

/** Whether the shop's host answers now. */
export function isHostReached(): Promise<boolean> {
  answer ??= request().finally(() => {
    setTimeout(() => {
      answer = null;
    }, VALID_MS);
  });
  return answer;
}

async function request(): Promise<boolean> {
  try {
    await fetch(FALLBACK, { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}
