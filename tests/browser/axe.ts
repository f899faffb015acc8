import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { quickOrFull } from '../full-run.ts';

/** The script of axe, which puts `axe` on the window. */
export const AXE = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** The widths and colour schemes that axe checks: two in `npm test`, four in `npm run test:all`. */
export const LOOKS: readonly Look[] = quickOrFull<Look[]>(
  [
    { width: 320, colorScheme: 'dark' },
    { width: 1440, colorScheme: 'light' },
  ],
  [320, 1440].flatMap((width) => [
    { width, colorScheme: 'light' },
    { width, colorScheme: 'dark' },
  ]),
);

/** A width in CSS pixels and a colour scheme. */
interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** One of axe's results: a rule, and the elements that break it. */
interface Finding {
  readonly id: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly any: readonly { readonly data: { readonly messageKey?: string } | null }[];
  }[];
}

/** Axe's findings about the page in its present state: the rule and the elements of each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    // Waits for transitions to end, because axe would judge a colour in the middle of one.
    const finiteAnimations = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(finiteAnimations.map(({ finished }) => finished));
  });
  // The page's content security policy would block axe as a script element.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: Finding[]; incomplete: Finding[] }> };
    };
    const { violations, incomplete } = await axe.run();
    // Axe reports text in the colour of its background only as "incomplete"; here it is a violation.
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

/**
 * Fails when axe finds something in the page, or when the page is wider than the screen.
 *
 * @param state names the page's state in the message
 */
export async function expectAccessible(page: Page, state = ''): Promise<void> {
  expect(await axeFindings(page), state).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${state}: pixels wider than the screen`).toBe(0);
}
