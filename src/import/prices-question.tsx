import { formatPrice } from '../domain/money.ts';
import { nameOf } from '../domain/product.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { PriceJump } from './protocol.ts';
import type { ImportSession } from './session.ts';
import type { Run } from './session-state.ts';
import { priceJumpsWords } from './words.ts';
import styles from './prices-question.module.css';

interface PricesQuestionProps {
  readonly session: ImportSession;
  readonly run: Run;
}

/** Asks the user before an import with many price jumps: the decimal mark may be read wrongly. */
export function PricesQuestion({ session, run }: PricesQuestionProps) {
  const prices = run.kind === 'asking' && run.about === 'prices' ? run.check.prices : null;
  return (
    <ConfirmDialog
      isOpen={prices !== null}
      heading="Are these prices right?"
      no="Do not import"
      yes="Import these prices"
      onAnswer={session.answer}
    >
      <span>{`${prices ? priceJumpsWords(prices) : ''} For example: `}</span>
      {prices?.examples.map((example) => (
        <span key={`${example.skc} ${example.size}`} className={styles['example']}>
          {exampleWords(example)}
        </span>
      ))}
      <span>
        Shoppers can buy at the new prices as soon as they are imported. Nothing has been sent yet.
      </span>
    </ConfirmDialog>
  );
}

function exampleWords({ skc, size, from, to }: PriceJump): string {
  const product = nameOf({ title: skc, size });
  return `${product}: ${formatPrice(from)} → ${formatPrice(to)}. `;
}
