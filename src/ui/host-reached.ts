import { FALLBACK } from './picture-sources.ts';

/** So long an answer is used again, for pictures that fail together. */
const VALID_MS = 1000;

let answer: Promise<boolean> | null = null;

/** Whether the shop's host answers now. Sends one request for all pictures that fail together. */
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
