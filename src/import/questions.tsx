import { Card } from '../catalogue/card.tsx';
import { countOf, formatCount } from '../domain/count.ts';
import { formatPrice } from '../domain/money.ts';
import { nameOf, parseProductRow, productOf } from '../domain/product.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { doubtsAbout, sentRows, type Wishes } from './doubts.ts';
import type { FileCheck, PriceJump } from './protocol.ts';
import styles from './questions.module.css';
import type { ImportRun } from './import-run.ts';
import type { Concern, SendingStep, RunState } from './run-state.ts';
import { priceJumpsWords } from './words.ts';

interface QuestionsProps {
  readonly run: ImportRun;
  readonly state: RunState;
}

/** What the page asks before it sends a file, and before a whole range takes many products off sale. */
export function Questions({ run, state }: QuestionsProps) {
  const { step } = state;
  return (
    <>
      <DoubtsQuestion run={run} check={askedAbout('doubts', state)} wishes={state} />
      <PricesQuestion run={run} check={askedAbout('prices', state)} />
      <RangeQuestion run={run} leaving={step.kind === 'sending' ? step.leaving : null} />
    </>
  );
}

/** The check, while the page asks about this concern; else null. */
function askedAbout(concern: Concern, { step, finding }: RunState): FileCheck | null {
  const isAsking = step.kind === 'checked' && step.concern === concern;
  return isAsking && finding.kind === 'checked' ? finding.check : null;
}

interface QuestionProps {
  readonly run: ImportRun;
  readonly check: FileCheck | null;
}

/** Asks the user before an import that would make the shop look poor, or leave rows out. */
function DoubtsQuestion({ run, check, wishes }: QuestionProps & { readonly wishes: Wishes }) {
  return (
    <ConfirmDialog
      isOpen={check !== null}
      heading="Import this as is?"
      no="Don’t import"
      yes={check === null ? '' : yesWords(check)}
      onAnswer={run.answer}
    >
      {check && (
        <>
          <ul className={styles['doubts']}>
            {doubtsAbout(check, wishes).map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
          <Cards check={check} />
          <p>We haven’t sent anything yet.</p>
        </>
      )}
    </ConfirmDialog>
  );
}

function yesWords(check: FileCheck): string {
  const rows = sentRows(check);
  return rows === 0 ? 'Hide the products' : `Import ${countOf(rows, 'row')}`;
}

const MOST_CARDS = 2;

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
      <figcaption>How the first products will look:</figcaption>
      <div className={styles['cards']}>
        {products.map((product) => (
          <Card key={product.id} product={product} name={nameOf(product)} isEager />
        ))}
      </div>
    </figure>
  );
}

/** Asks the user before an import with many price jumps: the decimal mark may be read wrongly. */
function PricesQuestion({ run, check }: QuestionProps) {
  const prices = check && check.prices;
  return (
    <ConfirmDialog
      isOpen={prices !== null}
      heading="Are these prices right?"
      no="Don’t import"
      yes="Import these prices"
      onAnswer={run.answer}
    >
      <span>{`${prices ? priceJumpsWords(prices) : ''} For example: `}</span>
      {prices?.examples.map((example) => (
        <span key={`${example.skc} ${example.size}`} className={styles['example']}>
          {exampleWords(example)}
        </span>
      ))}
      <span>
        Shoppers can buy at the new prices as soon as you import them. We haven’t sent anything yet.
      </span>
    </ConfirmDialog>
  );
}

function exampleWords({ skc, size, from, to }: PriceJump): string {
  const product = nameOf({ title: skc, size });
  return `${product}: ${formatPrice(from)} → ${formatPrice(to)}. `;
}

/** Asks the user before a file of the whole range takes more than a tenth of the shop off sale. */
function RangeQuestion({
  run,
  leaving,
}: {
  readonly run: ImportRun;
  readonly leaving: SendingStep['leaving'];
}) {
  return (
    <ConfirmDialog
      isOpen={leaving !== null}
      heading="Hide these products?"
      no="Keep them in the shop"
      yes={leaving === null ? '' : `Hide ${countOf(leaving.count, 'product')}`}
      onAnswer={run.answer}
    >
      {leaving &&
        `${formatCount(leaving.count)} of ${countOf(leaving.of, 'product')} in the shop ${leaving.count === 1 ? 'isn’t' : 'aren’t'} in the file. ` +
          'The import is done. If you hide products, you can undo that, too.'}
    </ConfirmDialog>
  );
}
