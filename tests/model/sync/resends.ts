/**
 * Oracle: a tab that has heard the answer to a batch does not send it again, but for a run that
 * starts over once in a while: the queue may be another shopper's, or the server put back.
 */
import type { ShopRequest } from './gateway.ts';
import type { SyncVerdicts } from './verdicts.ts';

/** So often a tab may have a change acknowledged by an answer. */
const MOST_ANSWERS = 4;

export class Resends {
  #verdicts: SyncVerdicts;
  /** By tab. */
  #answers = new WeakMap<object, Map<string, number>>();

  constructor(verdicts: SyncVerdicts) {
    this.#verdicts = verdicts;
  }

  /** A tab has heard that its batch was taken. */
  answered(tab: { readonly name: string }, { path, body }: ShopRequest): void {
    if (!path.endsWith('rpc/push')) return;
    const answers = this.#answers.get(tab) ?? new Map<string, number>();
    this.#answers.set(tab, answers);
    for (const { id } of (body['p_changes'] ?? []) as readonly { readonly id: string }[]) {
      const count = (answers.get(id) ?? 0) + 1;
      answers.set(id, count);
      if (count !== MOST_ANSWERS + 1) continue;
      const text = `${tab.name} sends ${id} again, which was answered ${MOST_ANSWERS} times`;
      this.#verdicts.break(11, text);
      return;
    }
  }
}
