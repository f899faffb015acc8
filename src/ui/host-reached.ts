/** Tells a broken link from a lost connection, because a page cannot see why a picture did not load. */
import { FALLBACK } from './picture-sources.ts';

/** How long an answer is reused. Pictures that fail together then send one request. */
const VALID_MS = 1000;

let answer: Promise<boolean> | null = null;

/** Whether the shop's host answers now, with any status. */
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
