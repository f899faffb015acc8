/**
 * Oracle of invariant 11: a tab does not send changes again whose push was answered. A few repetitions are
 * allowed, because a sync run begins again when the shopper changes or the server was restored from a backup.
 */
import type { ShopRequest } from './gateway.ts';
import type { SyncVerdicts } from './verdicts.ts';

/** So many pushes of the same change may be answered to one tab. */
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
      if (count !== MAX_ANSWERS + 1) continue;
      const text = `${tab.name} sends ${id} again, which was answered ${MAX_ANSWERS} times`;
      this.#verdicts.break(11, text);
      return;
    }
  }
}
