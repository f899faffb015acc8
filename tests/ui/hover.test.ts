/** Styles for a pointer that hovers: on a touch screen they would stay after a tap. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');

test('the shop has styles for hovering only where a pointer can hover', () => {
  const files = globSync('src/**/*.css', { cwd: PROJECT }).sort();
  const rules = files.flatMap((file) => {
    return hoverRulesOf(readFileSync(join(PROJECT, file), 'utf8')).map((rule) => ({
      file,
      ...rule,
    }));
  });
  expect(rules.length, 'rules were found').toBeGreaterThan(20);
  const bare = rules.filter(({ around }) => !around.includes('@media (hover: hover)'));
  expect(bare.map(({ file, selector }) => `${file}: ${selector}`)).toEqual([]);
});

/** The rules with `:hover`, and the heads of the blocks around each, from the outside in. */
function hoverRulesOf(css: string): { readonly selector: string; readonly around: string[] }[] {
  const around: string[] = [];
  const rules = [];
  const text = css.replace(/\/\*.*?\*\//gs, '');
  for (const [, head = '', end] of text.matchAll(/([^{};]*)([{};])/g)) {
    if (end === '}') around.pop();
    if (end !== '{') continue;
    const selector = head.trim();
    if (selector.includes(':hover')) rules.push({ selector, around: [...around] });
    around.push(selector);
  }
  return rules;
}
