import { fetchCatalogue } from '../../catalogue/mutations.ts';
import {
  productsRemote,
  type ProductsChange,
  type StaffProduct,
} from '../../remote/products-by-hand.ts';
import { notify } from '../../ui/notices.ts';
import { failureWords } from '../mutations.ts';
import type { Reader } from '../queries.ts';

/** Why the shop does not take what stands in a field. */
export interface Problem {
  readonly column: string;
  readonly sentence: string;
}

/** What came of a change. `problem` is null where a notice has said why it failed. */
type ChangeOutcome =
  | { readonly isDone: true }
  | { readonly isDone: false; readonly problem: Problem | null };

/** The last change that was sent, which keeps its id until the shop has answered. */
let lastSent = { key: '', importId: '' };

/**
 * Changes products, and says what came of it, with a button to take it back.
 *
 * @param doneWords what the notice says of success
 * @param onDone called when the page must read the products anew
 */
export async function changeProducts(
  { uid, tokens }: Reader,
  change: Omit<ProductsChange, 'importId'>,
  doneWords: string,
  onDone: () => void,
): Promise<ChangeOutcome> {
  const remote = productsRemote(tokens, uid);
  // After a lost answer the same change is sent under the same id, so that the shop makes it once.
  const key = JSON.stringify([uid, change]);
  if (lastSent.key !== key) lastSent = { key, importId: crypto.randomUUID() };
  const { importId } = lastSent;
  const answer = await remote.change({ ...change, importId });
  const failure = answer.ok ? null : answer.failure;
  const isUnknown =
    failure?.kind === 'offline' || (failure?.kind === 'rejected' && failure.status >= 500);
  if (!isUnknown) lastSent = { key: '', importId: '' };
  const column = failure?.kind === 'rejected' ? failure.fields?.['column'] : null;
  if (failure && typeof column === 'string') {
    return { isDone: false, problem: { column, sentence: failureWords(failure) } };
  }
  onDone();
  if (failure) {
    notify('alert', failure.kind === 'offline' ? NO_ANSWER : failureWords(failure));
    return { isDone: false, problem: null };
  }
  void fetchCatalogue();
  async function undo(): Promise<void> {
    const undone = await remote.undo(importId);
    onDone();
    void fetchCatalogue();
    if (!undone.ok) notify('alert', failureWords(undone.failure, 'product'));
    else if (undone.value['kept'] === 0) notify('status', 'Undone.');
    else notify('alert', 'Someone has since changed this, so we kept their change.');
  }
  notify('status', doneWords, { label: 'Undo', run: () => void undo(), uid });
  return { isDone: true };
}

const NO_ANSWER = 'We couldn’t reach the shop. Try again. Nothing will be saved twice.';

/** How long a picture may take until it counts as one that does not load. */
const PICTURE_MS = 10_000;

/** Whether this browser can show the picture at an address. */
export function pictureLoads(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve(true);
    image.onerror = () => resolve(false);
    setTimeout(() => resolve(false), PICTURE_MS);
    image.src = address;
  });
}

/** The products of a change, as the shop's function names them. */
export function seenOf(products: readonly StaffProduct[]): ProductsChange['seen'] {
  return products.map(({ row: [, skc, size], ver }) => [skc, size, ver]);
}
