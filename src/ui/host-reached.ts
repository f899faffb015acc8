import { FALLBACK } from './picture-sources.ts';

const VALID_MS = 1000;

let asked: Promise<boolean> | null = null;

/** Whether the shop's host answers now: one request for all pictures that fail together. */
export function isHostReached(): Promise<boolean> {
  asked ??= ask().finally(() => {
    setTimeout(() => {
      asked = null;
    }, VALID_MS);
  });
  return asked;
}

async function ask(): Promise<boolean> {
  try {
    await fetch(FALLBACK, { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}
