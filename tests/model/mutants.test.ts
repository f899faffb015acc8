/** Whether every deliberate bug of the soaks `mutants` and `order-mutants` can still be put into the code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../supabase/shop.ts';
import { applyMutant, type Mutant, parseMutants } from './kit/patch.ts';
import { PROJECT } from './kit/project.ts';
import { ORDER_MUTANTS } from './orders/model.ts';
import { SYNC_MUTANTS } from './sync/model.ts';

// The counts show when a mutant is lost while a patch file is edited.
test.each([
  ['mutants', SYNC_MUTANTS.mutants, 55],
  ['order-mutants', ORDER_MUTANTS.mutants, 40],
] as const)('all %s are there and apply to the present code', async (_, mutants, count) => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(count);
  const complaints: string[] = [];
  for (const mutant of mutants) complaints.push(...(await complaintsOf(mutant)));
  expect(complaints).toEqual([]);
});

/** The file that the mutants below change. */
const CODE = `
export class Cart {
  #add(id: number) {
    if (id === 1) {
      this.put(
        id,
        2,
      );
    }
  }
}
export const remove = (id: number) => put(id, 2);
`;

test.each([
  ['a formatter has broken its lines', '#add', 'this.put(id, 2)', null],
  ['its text is in another declaration', 'remove', 'this.put(id, 2)', '0 times in'],
  ['its text is there three times', '#add', 'id', '3 times in'],
  ['its text is part of a word', '#add', 'this.pu', '0 times in'],
  ['its declaration has another name', 'add', 'this.put(id, 2)', '0 times in add'],
])(
  'a mutant is applied, or the error says why not: %s',
  async (_, declaration, text, complaint) => {
    await using folder = await temporaryFolder();
    mkdirSync(join(folder.path, 'src'));
    writeFileSync(join(folder.path, 'src/cart.ts'), CODE);
    const [mutant] = parseMutants(
      `# nothing is put\n@@ src/cart.ts ${declaration}\n- ${text}\n+ x()`,
    );
    if (!mutant) throw new Error('the patch holds no mutant');
    const changed = applyMutant(mutant, folder.path);
    if (complaint !== null) await expect(changed).rejects.toThrow(complaint);
    else expect((await changed).get('src/cart.ts')).toContain('if (id === 1) {\n      x();\n    }');
  },
);

/** What is wrong with a mutant, in sentences: it does not apply, or the changed file does not parse. */
async function complaintsOf(mutant: Mutant): Promise<string[]> {
  try {
    const changed = [...(await applyMutant(mutant, PROJECT))];
    const errors = changed
      .filter(([file]) => file.endsWith('.ts'))
      .flatMap(([file, text]) => parseSync(file, text).errors)
      .map(({ message }) => `"${mutant.name}" makes a file that does not parse: ${message}`);
    return changed.length > 0 ? errors : [`"${mutant.name}" changes nothing`];
  } catch (error) {
    return [String(error)];
  }
}
