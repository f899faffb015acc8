import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { share } from '../share.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What the shop is looked at in: two opposite looks quickly, all four in `npm run test:all`. */
export const LOOKS: readonly Look[] = share<Look[]>(
  [
    { width: 320, colorScheme: 'dark' },
    { width: 1440, colorScheme: 'light' },
  ],
  [320, 1440].flatMap((width) => [
    { width, colorScheme: 'light' },
    { width, colorScheme: 'dark' },
  ]),
);

interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

interface Finding {
  readonly id: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly any: readonly { readonly data: { readonly messageKey?: string } | null }[];
  }[];
}

/** What axe finds wrong with the page as it stands: rule and places, empty when nothing. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    // Axe would judge a colour in the middle of a transition.
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
  // Not as a script of the page, which its content security policy would refuse.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: Finding[]; incomplete: Finding[] }> };
    };
    const { violations, incomplete } = await axe.run();
    // Letters of the very colour behind them are not wrong to axe: somebody may have hidden them.
    const invisible = incomplete.flatMap(({ id, nodes }) => {
      const equal = nodes.filter(({ any }) =>
        any.some(({ data }) => data?.messageKey === 'equalRatio'),
      );
      return equal.length > 0 ? [{ id, nodes: equal }] : [];
    });
    return [...violations, ...invisible].map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
    );
  });
}

/** Fails when axe finds something in this state of the page, or when it is wider than the screen. */
export async function expectAccessible(page: Page, state = ''): Promise<void> {
  expect(await axeFindings(page), state).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${state}: pixels wider than the screen`).toBe(0);
}
