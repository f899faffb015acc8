import { Card } from '../catalogue/card.tsx';
import { nameOf, parseProductRow, productOf } from '../domain/product.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { doubtsAbout, sentRows, type Wishes } from './doubts.ts';
import styles from './doubts-question.module.css';
import type { FileCheck } from './protocol.ts';
import type { ImportSession } from './session.ts';
import type { Run } from './session-state.ts';
import { numberOf } from './words.ts';

interface DoubtsQuestionProps {
  readonly session: ImportSession;
  readonly run: Run;
  readonly wishes: Wishes;
}

/** Asks the user before an import that would make the shop look poor, or leave rows out. */
export function DoubtsQuestion({ session, run, wishes }: DoubtsQuestionProps) {
  const check = run.kind === 'asking' && run.about === 'doubts' ? run.check : null;
  const sent = check === null ? 0 : sentRows(check);
  return (
    <ConfirmDialog
      isOpen={check !== null}
      heading="Import this as it is?"
      no="Do not import"
      yes={check === null ? '' : yesWords(sent, sent === check.rows)}
      onAnswer={session.answer}
    >
      {check && (
        <>
          <ul className={styles['doubts']}>
            {doubtsAbout(check, wishes).map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
          <Cards check={check} />
          <p>Nothing has been sent yet.</p>
        </>
      )}
    </ConfirmDialog>
  );
}

/** @param isWhole whether these are all rows of the file */
function yesWords(rows: number, isWhole: boolean): string {
  if (rows === 0) return 'Take them off sale';
  if (rows === 1) return isWhole ? 'Import the row' : 'Import the other row';
  return `Import ${isWhole ? 'all' : 'the other'} ${numberOf(rows)} rows`;
}

const MOST_CARDS = 3;

/** The first products as the shop would show them. Nothing in here can be pressed. */
function Cards({ check }: { readonly check: FileCheck }) {
  const products = check.preview
    .slice(0, MOST_CARDS)
    // By `IMPORT_COLUMNS`. Of the four categories a card shows only the first.
    .map(([skc, size, picture, category, , , , price, material], i) => {
      const id = -1 - i; // no product of the shop has such an id
      const categories = [category, null, null, null];
      const amount = price === '' ? null : Number(price);
      return parseProductRow([id, skc, size, picture, ...categories, amount, material]);
    })
    .filter((row) => row !== null)
    .map(productOf);
  return (
    <figure className={styles['figure']} aria-hidden inert>
      <figcaption>The first in the shop:</figcaption>
      <div className={styles['cards']}>
        {products.map((product) => (
          <Card key={product.id} product={product} name={nameOf(product)} isEager />
        ))}
      </div>
    </figure>
  );
}
