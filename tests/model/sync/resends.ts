/**
 * Oracle: a tab that has heard the answer to a batch does not send it again, but for a run that
 * starts over once in a while: the queue may be another shopper's, or the server put back.
 */
import type { Sent } from './network.ts';
import type { Tab } from './tab.ts';
import type { World } from './world.ts';

/** So often a tab may have a change acknowledged by an answer. */
const MOST_ANSWERS = 4;

export class Resends {
  #world: World;
  #answers = new WeakMap<Tab, Map<string, number>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** A tab has heard that its batch was taken. */
  answered({ tab, path, body }: Sent): void {
    if (!path.endsWith('rpc/push')) return;
    const answers = this.#answers.get(tab) ?? new Map<string, number>();
    this.#answers.set(tab, answers);
    for (const { id } of (body['p_changes'] ?? []) as readonly { readonly id: string }[]) {
      const count = (answers.get(id) ?? 0) + 1;
      answers.set(id, count);
      if (count !== MOST_ANSWERS + 1) continue;
      const text = `${tab.name} sends ${id} again, which was answered ${MOST_ANSWERS} times`;
      this.#world.verdicts.break(11, text);
      return;
    }
  }
}
