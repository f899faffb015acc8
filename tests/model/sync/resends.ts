/**
 * Oracle of invariant 11: after a push was answered, the tab does not send its changes again. A few repetitions
 * are allowed, because a sync run starts over when another shopper signs in or a backup was restored.
 */
import type { ShopRequest } from './gateway.ts';
import type { SyncVerdicts } from './verdicts.ts';

/** How many answered pushes of the same change one tab may have. */
const MAX_ANSWERS = 4;

export class Resends {
  #verdicts: SyncVerdicts;
  /** By tab: how many answers it got for each change, by the id of the change. */
  #answers = new WeakMap<object, Map<string, number>>();

  constructor(verdicts: SyncVerdicts) {
    this.#verdicts = verdicts;
  }

  /** A tab has received a good answer to its request. */
  addAnswer(tab: { readonly name: string }, { path, body }: ShopRequest): void {
    if (!path.endsWith('rpc/push')) return;
    const answers = this.#answers.get(tab) ?? new Map<string, number>();
    this.#answers.set(tab, answers);
    for (const { id } of (body['p_changes'] ?? []) as readonly { readonly id: string }[]) {
      const count = (answers.get(id) ?? 0) + 1;
      answers.set(id, count);
      // Each change is reported once, at the first answer too many, and one change of a push is enough.
      if (count !== MAX_ANSWERS + 1) continue;
      const text = `${tab.name} sends ${id} again, although ${MAX_ANSWERS} pushes of it were answered`;
      this.#verdicts.break(11, text);
      return;
    }
  }
}
