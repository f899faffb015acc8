/** Whether every deliberate bug of the soaks `mutants` and `order-mutants` can still be put into the code. */
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { applyMutant, type Mutant } from './kit/patch.ts';
import { PROJECT } from './kit/project.ts';
import { ORDER_MUTANTS } from './orders/model.ts';
import { SYNC_MUTANTS } from './sync/model.ts';

// The counts show when a mutant is lost while a patch file is edited.
test.each([
  ['mutants', SYNC_MUTANTS.mutants, 53],
  ['order-mutants', ORDER_MUTANTS.mutants, 40],
] as const)('all %s are there and apply to the present code', (_, mutants, count) => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(count);
  expect(mutants.flatMap(complaintsOf)).toEqual([]);
});

/** What is wrong with a mutant, in sentences: it does not apply, or the changed file does not parse. */
function complaintsOf(mutant: Mutant): string[] {
  try {
    const changed = [...applyMutant(mutant, PROJECT)];
    const errors = changed
      .filter(([file]) => file.endsWith('.ts'))
      .flatMap(([file, text]) => parseSync(file, text).errors)
      .map(({ message }) => `"${mutant.name}" makes a file that does not parse: ${message}`);
    return changed.length > 0 ? errors : [`"${mutant.name}" changes nothing`];
  } catch (error) {
    return [String(error)];
  }
}
